// A table as people work with it: made, typed into, pasted into, searched, mended and shared.
import type { Locator, Page } from "@playwright/test";
import { joinAs } from "./join-as.ts";
import { expect, type Preparation, test } from "./signed-in.ts";

const grid = (page: Page) => page.getByRole("grid");
const cells = (page: Page, column: number): Locator =>
  grid(page).locator(`[role=gridcell][aria-colindex="${column + 1}"]`);
const cell = (page: Page, row: number, column: number): Locator =>
  grid(page).locator(`[role=row][aria-rowindex="${row + 1}"] [role=gridcell][aria-colindex="${column + 1}"]`);

const columns = [
  { name: "email", type: "text", unique: true, required: true },
  { name: "orders", type: "number" },
];

async function makeTable(preparation: Preparation, rows: readonly object[]): Promise<string> {
  const { id } = await preparation.call("POST", "/tables", { name: `Shared ${Date.now()}`, columns });
  if (rows.length > 0) await preparation.call("POST", `/tables/${id}/rows/bulk`, { insert: rows });
  return String(id);
}

async function rowsOf(preparation: Preparation, id: string, field: string): Promise<unknown[]> {
  const { rows } = await preparation.call("GET", `/tables/${id}/rows`);
  return rows.map((row: Record<string, unknown>) => row[field]);
}

/** Puts text on the clipboard, and pastes it where the focus is. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press("ControlOrMeta+v");
}

// Proves tables.page, tables.page-refused
test("a table is made, typed into by keyboard, pasted into, sorted, filtered and taken back", async ({
  signedIn: page,
  preparation,
}) => {
  const name = `customers ${Date.now()}`;
  await page.goto("/");
  await page.getByRole("link", { name: "Tables", exact: true }).click();
  await page.getByRole("button", { name: "New table" }).click();
  const form = page.getByRole("dialog", { name: "New table" });
  await form.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await form.getByLabel("Column 1: name").fill("email");
  await form.getByLabel("Column 1: required").check();
  await form.getByLabel("Column 1: unique").check();
  await form.getByRole("button", { name: "Add column" }).click();
  await form.getByLabel("Column 2: name").fill("orders");
  await form.getByLabel("Column 2: type").selectOption("Number");
  await form.getByRole("button", { name: "Create table" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  const id = page.url().split("/").at(-1) ?? "";

  // A row is saved once it has what it needs.
  await page.getByRole("button", { name: "Add row" }).click();
  await expect(page.getByText("1 row can’t be saved without email.")).toBeVisible();
  await expect(grid(page)).toBeFocused();
  await page.keyboard.type("ada@example.com");
  await page.keyboard.press("Tab");
  await page.keyboard.type("12");
  await page.keyboard.press("Enter");
  await expect(cell(page, 1, 2)).toHaveText("12");
  await expect.poll(() => rowsOf(preparation, id, "orders")).toEqual([12]);

  // What a column does not take stays in its cell, with the reason, until it is mended.
  await cell(page, 1, 2).click();
  await page.keyboard.type("many");
  await page.keyboard.press("Enter");
  await cell(page, 1, 2).click();
  await expect(page.getByText("orders must be a number, such as 12.5")).toBeVisible();
  await expect(cell(page, 1, 2)).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("Escape");
  await expect(cell(page, 1, 2)).toHaveText("12");

  // From a spreadsheet: over the row that is there, and beyond it.
  await cell(page, 1, 1).click();
  await paste(page, 'ada@example.com\t20\r\n"bob@example.com"\t"1,000"\r\n"two\nlines"\t5\r\n');
  await expect(cells(page, 1)).toHaveText(["ada@example.com", "bob@example.com", "two lines"]);
  await expect.poll(() => rowsOf(preparation, id, "orders")).toEqual([20, 1000, 5]);
  expect(await rowsOf(preparation, id, "email")).toContain("two\nlines");

  // One step back takes the whole paste away.
  await page.keyboard.press("ControlOrMeta+z");
  await expect(cells(page, 2)).toHaveText(["12"]);
  await expect.poll(() => rowsOf(preparation, id, "orders")).toEqual([12]);
  await page.keyboard.press("ControlOrMeta+Shift+z");
  await expect(cells(page, 2)).toHaveText(["20", "1000", "5"]);
  await expect.poll(async () => (await rowsOf(preparation, id, "orders")).sort()).toEqual([1000, 20, 5]);

  // A value that is there already is refused at its cell.
  await cell(page, 2, 1).click();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "email" }).fill("ada@example.com");
  await page.keyboard.press("Enter");
  await cell(page, 2, 1).click();
  await expect(page.getByText("email there is a row with this value already")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(cell(page, 2, 1)).toHaveText("bob@example.com");

  await grid(page).getByRole("button", { name: "orders", exact: true }).click();
  await expect(cells(page, 2)).toHaveText(["5", "20", "1000"]);
  await grid(page).getByRole("button", { name: "orders", exact: true }).click();
  await expect(cells(page, 2)).toHaveText(["1000", "20", "5"]);
  await expect(page).toHaveURL(/sort=-orders/);

  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByLabel("Condition 1: column").selectOption("orders");
  await page.getByLabel("Condition 1: comparison").selectOption("at least");
  await page.getByLabel("Condition 1: value").fill("20");
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByLabel("Condition 2: value").fill("ADA");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(cells(page, 1)).toHaveText(["ada@example.com"]);
  await page.reload();
  await expect(cells(page, 1)).toHaveText(["ada@example.com"]);
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(cells(page, 2)).toHaveText(["1000", "20", "5"]);

  // Rows that are deleted come back.
  await page.getByLabel("Select row 1").check();
  await page.getByLabel("Select row 3").check();
  await page.getByRole("button", { name: "Delete 2 rows" }).click();
  await expect(cells(page, 2)).toHaveText(["20"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(cells(page, 2)).toHaveCount(3);
  await expect.poll(async () => (await rowsOf(preparation, id, "orders")).length).toBe(3);

  // A block is copied as a spreadsheet takes it.
  await grid(page).getByRole("button", { name: "orders", exact: true }).click();
  await expect(page).not.toHaveURL(/sort=/);
  await grid(page).getByRole("button", { name: "orders", exact: true }).click();
  await expect(cells(page, 2)).toHaveText(["5", "20", "1000"]);
  await cell(page, 2, 1).click();
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("ControlOrMeta+c");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.replaceAll("\r", "")).toBe("ada@example.com\t20\nbob@example.com\t1000");
  await page.keyboard.press("Delete");
  await expect(page.getByText("2 cells are not saved")).toBeVisible();
  await expect
    .poll(async () => (await rowsOf(preparation, id, "orders")).filter((orders) => orders === null))
    .toHaveLength(2);
});

test("columns are added, renamed and deleted, and CSV goes in and out", async ({ signedIn: page, preparation }) => {
  const id = await makeTable(preparation, [{ email: "ada@example.com", orders: 1 }]);
  await page.goto(`/tables/${id}`);
  await page.getByRole("button", { name: "Add column" }).click();
  const add = page.getByRole("dialog", { name: "Add column" });
  await add.getByLabel("Column: name").fill("since");
  await add.getByLabel("Column: type").selectOption("Time");
  await add.getByRole("button", { name: "Add column" }).click();
  await cell(page, 1, 3).click();
  await page.keyboard.type("2026-01-31 10:00");
  await page.keyboard.press("Enter");
  await expect.poll(() => rowsOf(preparation, id, "since")).toEqual(["2026-01-31T10:00:00.000Z"]);

  await page.getByRole("button", { name: "Column orders" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  const rename = page.getByRole("dialog", { name: "Rename orders" });
  await rename.getByLabel("Name").fill("bought");
  await rename.getByRole("button", { name: "Rename" }).click();
  await expect(grid(page).getByRole("button", { name: "bought", exact: true })).toBeVisible();
  await expect(cell(page, 1, 2)).toHaveText("1");

  await page.getByRole("button", { name: "Import CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Import CSV" });
  const choose = async (text: string, encoding: BufferEncoding = "utf8") => {
    const chooser = page.waitForEvent("filechooser");
    await dialog.getByLabel("File").click();
    await (await chooser).setFiles({ name: "rows.csv", mimeType: "text/csv", buffer: Buffer.from(text, encoding) });
  };
  await choose("email,bought\nzoë,many\n", "latin1");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("The file is not encoded as UTF-8.");
  await expect(dialog.getByLabel("Encoding")).toHaveValue("windows-1252");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText(/must be a number/);
  await choose("email,bought\nbob@example.com,many\n");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText(/must be a number/);
  await choose("email,bought\nada@example.com,7\nbob@example.com,8\n");
  await dialog.getByLabel("Existing rows").selectOption("Update by email");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(cells(page, 2)).toHaveText(["7", "8"]);

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);

  await page.getByRole("button", { name: "Column since" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete column" }).click();
  await expect(grid(page).getByRole("columnheader")).toHaveCount(3);

  await page.getByRole("button", { name: /^Actions for Shared/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("dialog")).toContainText("The table and its 2 rows will be deleted for good");
  await page.getByRole("button", { name: "Delete table" }).click();
  await expect(page.getByRole("heading", { name: "Tables", level: 1 })).toBeVisible();
});

// Proves tables.page-conflict
test("two tabs change a row: what is apart is kept, and of one cell both values are shown", async ({
  signedIn: page,
  preparation,
  context,
}) => {
  const id = await makeTable(preparation, [{ email: "ada@example.com", orders: 1 }]);
  const other = await context.newPage();
  const type = async (tab: Page, column: number, text: string) => {
    await cell(tab, 1, column).click();
    await tab.keyboard.type(text);
    await tab.keyboard.press("Enter");
  };
  for (const tab of [page, other]) {
    await tab.goto(`/tables/${id}`);
    await expect(cell(tab, 1, 2)).toHaveText("1");
  }
  await type(other, 2, "5");
  await expect.poll(() => rowsOf(preparation, id, "orders")).toEqual([5]);
  // Another cell of the same row: both are kept.
  await type(page, 1, "ada@example.org");
  await expect.poll(() => rowsOf(preparation, id, "email")).toEqual(["ada@example.org"]);
  await expect(cell(page, 1, 2)).toHaveText("5");

  await type(other, 2, "6");
  await expect.poll(() => rowsOf(preparation, id, "orders")).toEqual([6]);
  await type(page, 2, "7");
  const conflict = page.getByRole("alert", { name: "Conflict" });
  await expect(conflict).toContainText("orders: theirs is 6, yours is 7.");
  await expect(cell(page, 1, 2)).toHaveText("6");
  expect(await rowsOf(preparation, id, "orders")).toEqual([6]);
  await conflict.getByRole("button", { name: "Use mine" }).click();
  await expect(cell(page, 1, 2)).toHaveText("7");
  await expect.poll(() => rowsOf(preparation, id, "orders")).toEqual([7]);

  await type(other, 2, "8");
  const theirs = other.getByRole("alert", { name: "Conflict" });
  await theirs.getByRole("button", { name: "Use theirs" }).click();
  await expect(cell(other, 1, 2)).toHaveText("7");
  await expect(theirs).toBeHidden();
  expect(await rowsOf(preparation, id, "orders")).toEqual([7]);
});

// Proves tables.page-far
test("a long table is fetched as one scrolls, and a long paste is written in parts", async ({
  signedIn: page,
  preparation,
}) => {
  const id = await makeTable(preparation, []);
  for (let from = 0; from < 3_000; from += 1_000) {
    const insert = Array.from({ length: 1_000 }, (_, n) => ({ email: `row ${from + n}`, orders: from + n }));
    await preparation.call("POST", `/tables/${id}/rows/bulk`, { insert });
  }
  let pages = 0;
  page.on("request", (request) => {
    if (/\/rows\?.*limit=/.test(request.url())) pages += 1;
  });
  await page.goto(`/tables/${id}`);
  await expect(cell(page, 1, 1)).toHaveText("row 0");
  expect(pages).toBe(1);
  expect(await grid(page).getByRole("row").count()).toBeLessThan(80);
  for (let far = 1; far <= 4; far += 1) {
    // The rows may be asked for before there is room for them.
    await expect(async () => {
      await grid(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
      expect(pages).toBeGreaterThan(far);
    }).toPass();
  }
  await expect(
    grid(page)
      .getByText(/^row [3-9]\d\d$/)
      .first(),
  ).toBeVisible();

  // 1,500 rows over the first ones: in two requests, and back in one step.
  await grid(page).evaluate((element) => element.scrollTo(0, 0));
  await cell(page, 1, 2).click();
  await paste(page, Array.from({ length: 1_500 }, (_, n) => String(-n)).join("\n"));
  const sum = async () =>
    (await preparation.call("GET", `/tables/${id}/rows/count?where=%7B%22orders%22%3A%7B%22lt%22%3A0%7D%7D`)).count;
  await expect.poll(sum, { timeout: 30_000 }).toBe(1_499);
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(sum, { timeout: 30_000 }).toBe(0);

  await paste(page, "x\n".repeat(5_001));
  await expect(page.getByText("Nothing was pasted: a paste takes up to 5,000 rows")).toBeVisible();
});

test("a viewer reads a table, and sees why they cannot change it", async ({
  signedIn: owner,
  preparation,
  browser,
}) => {
  const id = await makeTable(preparation, [{ email: "ada@example.com", orders: 1 }]);
  const page = await joinAs(owner, browser, "Viewer");
  const why = "You are a viewer: only an editor or an owner of the workspace can";
  await page.goto(`/tables/${id}`);
  await expect(cell(page, 1, 1)).toHaveText("ada@example.com");
  await expect(grid(page)).toHaveAttribute("aria-readonly", "true");
  await expect(page.getByText(`${why} edit tables.`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Add row" })).toHaveAccessibleDescription(`${why} do this.`);
  await cell(page, 1, 1).click();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await page.keyboard.press("Delete");
  await expect(cell(page, 1, 1)).toHaveText("ada@example.com");
  expect(await rowsOf(preparation, id, "email")).toEqual(["ada@example.com"]);
  await page.context().close();
});
