const paddles = [0, 45, 90, 135, 180, 225, 270, 315];

/** A water wheel above its race. */
export function ProductMark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true">
      <g strokeWidth="1.8" strokeLinecap="round">
        <circle cx="12" cy="10" r="4.6" />
        {paddles.map((angle) => (
          <path key={angle} d="M12 5.4V2" transform={`rotate(${angle} 12 10)`} />
        ))}
        <path d="M2 21c2 0 2.6-1.4 4.6-1.4S9.4 21 11.4 21s2.6-1.4 4.6-1.4S18.6 21 22 21" />
      </g>
      <circle cx="12" cy="10" r="1.3" fill="currentColor" stroke="none" />
    </svg>
  );
}
