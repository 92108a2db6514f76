import { expect, type Preparation, test } from "./signed-in.ts";

const nodes = [{ id: "say", type: "log", config: { message: "x" } }];

/** The list of a new flow's runs. */
async function runsOf(preparation: Preparation, count: number): Promise<string> {
  const flow = await preparation.createFlow({ name: `Many ${Date.now()}`, trigger: { type: "manual" }, nodes });
  for (let run = 0; run < count; run += 1) await preparation.run(flow, {});
  return `/runs?flow=${flow}`;
}

const isTry = (body: string | null) => body?.includes('"dryRun":true') === true;

test("a deletion of runs that stops halfway says how many were deleted, and why", async ({
  signedIn: page,
  preparation,
}) => {
  await page.goto(await runsOf(preparation, 3));
  const answers = [
    { status: 200, json: { success: true, data: { matched: 3, done: 2, remaining: 1 } } },
    { status: 500, json: { success: false, error: { code: "INTERNAL_ERROR", message: "Something went wrong" } } },
  ];
  await page.route("**/executions/bulk-delete", async (route, request) => {
    const answer = isTry(request.postData()) ? undefined : answers.shift();
    await (answer === undefined ? route.continue() : route.fulfill(answer));
  });
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 3 runs" });
  await dialog.getByRole("button", { name: "Delete 3 runs" }).click();
  await expect(dialog.getByRole("alert")).toContainText(
    "2 runs were deleted; the others were not. Something went wrong.",
  );
  // What is left can be tried again.
  await dialog.getByRole("button", { name: "Delete 3 runs" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("status").filter({ hasText: "3 runs were deleted." })).toBeVisible();
});

test("runs that could not be counted can be counted again", async ({ signedIn: page, preparation }) => {
  await page.goto(await runsOf(preparation, 1));
  await page.route("**/executions/bulk-delete", (route) => route.abort());
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Delete" }).click();
  const problem = page.getByRole("dialog").getByRole("alert");
  await expect(problem).toContainText("The runs could not be counted.");
  await page.unrouteAll();
  await problem.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("dialog", { name: "Delete 1 run" })).toBeVisible();
});

test("what is selected after a deletion was left to itself stays so when that ends", async ({
  signedIn: page,
  preparation,
}) => {
  await page.goto(await runsOf(preparation, 2));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/executions/bulk-delete", async (route, request) => {
    if (!isTry(request.postData())) await released;
    await route.continue();
  });
  const runs = page.getByRole("checkbox", { name: /Select the run/ });
  await runs.first().check();
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Delete 1 run" }).click();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(dialog).toBeHidden();
  await runs.last().check();
  await page.getByRole("button", { name: "Run again" }).click();
  await expect(page.getByRole("dialog", { name: "Run 1 run again" })).toBeVisible();
  release();
  await expect(page.getByText("1 run was deleted.")).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Run 1 run again" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: "Selected runs" })).toContainText("1 run");
});

test("flows that could not be made live are named once, with the reason", async ({ signedIn: page, preparation }) => {
  const mark = `Unreached ${Date.now()}`;
  for (const letter of ["A", "B", "C", "D", "E"])
    await preparation.createFlow({ name: `${mark} ${letter}`, trigger: { type: "manual" }, nodes });
  await page.goto(`/flows?search=${encodeURIComponent(mark)}&sort=name-asc`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("region", { name: "Selected flows" });
  await expect(bar).toContainText("5 flows");
  await page.route("**/api/v1/flows/*", (route) => route.abort());
  await bar.getByRole("button", { name: "Make live" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "could not be made live" })).toContainText(
    `${mark} A, ${mark} B, ${mark} C, and 2 others could not be made live. The server did not answer.`,
  );
});
