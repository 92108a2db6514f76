/** The input is not what it is said to be, or too much: a sentence's end after "cannot be converted: ". */
export class Unconvertible extends Error {
  override readonly name = "Unconvertible";
}
