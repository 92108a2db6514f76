import { expect, type Locator, type Page } from "@playwright/test";

/** The editor as a person uses it: by mouse and by keyboard. */
export class EditorPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(flowId: string): Promise<void> {
    await this.page.emulateMedia({ reducedMotion: "reduce" });
    await this.page.goto(`/flows/${flowId}`);
    await this.isStill();
  }

  /** Opens a flow behind a proxy that lets no presence through: what others save is met when this page saves. */
  async openUnaware(flowId: string): Promise<void> {
    await this.page.route("**/api/v1/flows/*/presence*", (route) => route.abort());
    await this.open(flowId);
  }

  /** Starts an empty flow from the gallery. */
  async begin(): Promise<void> {
    await this.page.goto("/flows/new");
    await this.page.emulateMedia({ reducedMotion: "reduce" });
    await this.page.getByRole("button", { name: "Start from scratch" }).click();
    await expect(this.page).toHaveURL(/\/flows\/flow_/);
    await this.isStill();
  }

  /** Waits until the cards stay in place: they are drawn a moment before the view is fitted. */
  async isStill(): Promise<void> {
    const trigger = this.node("trigger");
    // A background page is drawn once a second.
    await this.page.bringToFront();
    await expect(trigger).toBeVisible();
    await trigger.evaluate(async (element) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const place = () => JSON.stringify(element.getBoundingClientRect());
      for (let before = place(), stood = 0; stood < 10; ) {
        await frame();
        const now = place();
        stood = now === before ? stood + 1 : 0;
        before = now;
      }
    });
  }

  node(id: string): Locator {
    return this.page.locator(`.react-flow__node[data-id="${id}"]`);
  }

  handle(id: string, name: string): Locator {
    return this.node(id).locator(`[data-handleid="${name}"]`);
  }

  /** Where the loop's body is that is open on the canvas. */
  get level(): Locator {
    return this.page.getByRole("navigation", { name: "Level" });
  }

  get run(): Locator {
    return this.page.getByRole("region", { name: "Run", exact: true });
  }

  /** Whether the flow is live, and the switch for it. */
  get live(): Locator {
    return this.page.getByRole("switch", { name: "Live", exact: true });
  }

  /** What says that there are changes which are not published. */
  get unpublished(): Locator {
    return this.page.getByRole("region", { name: "Unpublished changes" });
  }

  /** Drags from a handle to a screen position and drops there. */
  async dragTo(from: Locator, to: { readonly x: number; readonly y: number }): Promise<void> {
    await from.hover();
    await this.page.mouse.down();
    await this.page.mouse.move(to.x - 20, to.y - 20, { steps: 4 });
    await expect(this.page.locator(".react-flow__connection")).toBeAttached();
    await this.page.mouse.move(to.x, to.y, { steps: 4 });
    await this.page.mouse.up();
  }

  /** Shows the whole flow, drops an edge beside its handle, and selects what to add there. */
  async dropFrom(id: string, handle: string, by: { readonly x: number; readonly y: number }, search: string) {
    await this.page.getByRole("button", { name: "Show the whole flow" }).click();
    await expect(this.node(id)).toBeInViewport({ ratio: 0.95 });
    const from = this.handle(id, handle);
    const box = await from.boundingBox();
    if (box === null) throw new Error(`${id} is not on the canvas`);
    await this.dragTo(from, { x: box.x + by.x, y: box.y + by.y });
    await this.choose(search);
  }

  /**
   * Selects a card, showing the whole flow first if it is not visible. A click alone would do for a visible one, but an
   * open panel may cover the next card, and the canvas reverts what a click scrolls.
   */
  async select(id: string): Promise<void> {
    const card = this.node(id);
    const isInView = (timeout = 10_000) => expect(card).toBeInViewport({ ratio: 0.95, timeout });
    await isInView(1_000).catch(() => this.page.getByRole("button", { name: "Show the whole flow" }).click());
    await isInView();
    await this.isStill();
    await card.click();
  }

  async middleOf(id: string): Promise<{ x: number; y: number }> {
    const box = await this.node(id).boundingBox();
    if (box === null) throw new Error(`${id} is not on the canvas`);
    return { x: box.x + box.width / 2, y: box.y + 15 };
  }

  /** Selects a type in the menu that asks what to add. */
  async choose(search: string): Promise<void> {
    const menu = this.page.getByRole("dialog", { name: "Add a node" });
    await menu.getByRole("combobox").fill(search);
    await this.page.keyboard.press("Enter");
    await expect(menu).toBeHidden();
  }

  /** Replaces the content of a code field in the panel. */
  async write(label: string, text: string): Promise<void> {
    const field = this.page
      .getByRole("complementary", { name: "Node", exact: true })
      .getByRole("textbox", { name: label, exact: true });
    await field.click();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(text);
    await expect(field).toContainText(text.slice(0, 12));
  }

  /**
   * Runs the flow, and waits until that run is displayed instead of the previous one: it takes room from the canvas.
   */
  async runWith(input: object): Promise<void> {
    const link = this.run.getByRole("link", { name: "Open the run" });
    const before = (await link.isVisible()) ? await link.getAttribute("href") : null;
    await this.page.getByRole("button", { name: "Run", exact: true }).click();
    const dialog = this.page.getByRole("dialog");
    await dialog.getByLabel("Input").fill(JSON.stringify(input));
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(link).toHaveAttribute("href", /^\/runs\/exec_/);
    if (before !== null) await expect(link).not.toHaveAttribute("href", before);
  }

  async saved(): Promise<void> {
    await expect(this.page.getByRole("status", { name: "Changes: Saved" })).toBeVisible();
  }
}
