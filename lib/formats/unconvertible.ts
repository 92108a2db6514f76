/** The input is invalid or too large. The message is the end of a sentence after "cannot be converted: ". */
export class Unconvertible extends Error {
  override readonly name = "Unconvertible";
}
