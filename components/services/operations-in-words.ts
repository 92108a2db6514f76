/** "12 operations". */
export function operationsInWords(count: number): string {
  return count === 1 ? "1 operation" : `${count.toLocaleString("en")} operations`;
}
