/** The one function that is used of it: HTML as a document, without running anything of it. */
declare module "@mixmark-io/domino" {
  const domino: { createDocument(html: string): Document };
  export default domino;
}
