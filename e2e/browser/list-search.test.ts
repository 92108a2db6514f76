import { expect, test } from "./signed-in.ts";

const lists = [
  { path: "/credentials", what: "credentials", made: ["stripe_live", "mailbox"] },
  { path: "/tables", what: "tables", made: ["stripe_live", "mailbox"] },
  {
    path: "/webhooks",
    what: "subscriptions",
    made: ["https://hooks.example.com/stripe_live", "https://hooks.example.com/mailbox"],
  },
];
const bodies = {
  "/credentials": (name: string) => ({ name, type: "secret", data: { value: "s3cret-value" } }),
  "/tables": (name: string) => ({ name, columns: [{ name: "a", type: "text" }] }),
  "/webhooks": (url: string) => ({ url, events: ["execution.failed"] }),
} as const;

for (const { path, what, made } of lists) {
  test(`${path} is searched as it is typed, keeps the search in its address, and says when nothing matches`, async ({
    signedIn: page,
    preparation,
  }) => {
    const mark = `${Date.now()}`;
    const [wanted = "", other = ""] = made.map((name) => `${name}_${mark}`);
    for (const name of [wanted, other]) await preparation.call("POST", path, bodies[path as keyof typeof bodies](name));
    await page.goto(path);
    const field = page.getByRole("searchbox", { name: `Search ${what}` });
    await field.fill(`STRIPE_live_${mark}`);
    await expect(page.getByRole("row").filter({ hasText: wanted })).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: other })).toHaveCount(0);
    await expect(page).toHaveURL(new RegExp(`search=STRIPE_live_${mark}`));
    await page.reload();
    await expect(field).toHaveValue(`STRIPE_live_${mark}`);
    await expect(page.getByRole("row").filter({ hasText: other })).toHaveCount(0);

    await field.fill(`none of ${mark}`);
    await expect(page.getByText(`No ${what} match your search.`)).toBeVisible();
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await expect(page.getByRole("row").filter({ hasText: other })).toBeVisible();
    await expect(field).toHaveValue("");
  });
}

test("flows that are selected in the list are made live and taken offline together, and it can be undone", async ({
  signedIn: page,
  preparation,
}) => {
  const mark = `together_${Date.now()}`;
  const nodes = [{ id: "say", type: "log", name: "Say", config: { message: "x" } }];
  for (const name of [`${mark} a`, `${mark} b`]) {
    await preparation.createFlow({ name, trigger: { type: "manual" }, nodes });
  }
  await page.goto(`/flows?search=${mark}`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Make live" }).click();
  await expect(page.getByText("2 flows are live now.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Make live" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("row").filter({ hasText: mark }).getByText("Draft")).toHaveCount(2);
});

test("an address that asks for what there cannot be leads to the whole list", async ({ signedIn: page }) => {
  for (const [path, title] of [
    ["/flows?page=-1", "Flows"],
    ["/runs?status=lost", "Runs"],
    ["/credentials?search=%00", "Credentials"],
    ["/settings/members?page=none", "Members"],
  ] as const) {
    await page.goto(path);
    const notice = page.getByRole("alert").filter({ hasText: "could not be loaded" });
    await notice.getByRole("link", { name: "Clear the filters" }).click();
    await expect(notice).toBeHidden();
    await expect(page).toHaveURL(path.replace(/\?.*/, ""));
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  }
});
