/** The one function that is used: parses HTML into a document without running any of it. */
declare module "@mixmark-io/domino" {
  const domino: { createDocument(html: string): Document };
  export default domino;
}
