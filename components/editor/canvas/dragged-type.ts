/** A node type on its way from the palette to the canvas. */
export const draggedType = {
  format: "application/x-millrace-node-type",
  read: (data: DataTransfer): string => data.getData("application/x-millrace-node-type"),
  write: (data: DataTransfer, type: string): void => {
    data.setData("application/x-millrace-node-type", type);
    data.effectAllowed = "copy";
  },
} as const;
