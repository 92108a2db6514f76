const paddles = [0, 45, 90, 135, 180, 225, 270, 315];

/** A water wheel above its race. */
export function ProductMark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true">
      <g strokeWidth="1.7" strokeLinecap="round">
        <circle cx="12" cy="9.6" r="5.6" />
        {paddles.map((angle) => (
          <path key={angle} d="M12 4l2.2-2" transform={`rotate(${angle} 12 9.6)`} />
        ))}
        <path d="M2 21.4c2 0 2.6-1.4 4.6-1.4s2.8 1.4 4.8 1.4 2.6-1.4 4.6-1.4 2.6 1.4 6 1.4" />
      </g>
      <circle cx="12" cy="9.6" r="1.8" fill="currentColor" stroke="none" />
    </svg>
  );
}
