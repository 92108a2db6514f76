import { expect, test } from "vitest";
import { spaceOut, spaceOutWithin } from "./space-out.ts";

const at = (x: number, y = 0) => ({ x, y });

test("cards that n8n draws as icons are moved apart, keeping their order and rows", () => {
  const { places } = spaceOut([at(0), at(220), at(440), at(440, 200), at(660)]);
  expect(places).toEqual([at(0), at(320), at(640), at(640, 200), at(960)]);
});

test("branches slightly above and below their source stay to the right of it", () => {
  const { places } = spaceOut([at(0), at(220), at(440, -100), at(440, 120), at(660, -100)]);
  expect(places).toEqual([at(0), at(320), at(640, -100), at(640, 120), at(960, -100)]);
});

test("cards with enough room stay, and the order of the list is kept", () => {
  const cards = [at(800), at(0), at(400, 60)];
  expect(spaceOut(cards).places).toEqual(cards);
});

test("no card covers another, even if all are at the same position", () => {
  const { places } = spaceOut(Array.from({ length: 50 }, () => at(0)));
  expect(new Set(places.map(({ x }) => x)).size).toBe(50);
});

test("a note still surrounds the same cards", () => {
  const { toX } = spaceOut([at(0), at(220), at(440)]);
  expect([toX(-40), toX(200), toX(430), toX(700)]).toEqual([-40, 200, 530, 900]);
});

test("bodies of loops are spread separately", () => {
  const inside = [0, 1].map((index) => ({ id: `n${index}`, config: {}, position: at(index * 220) }));
  const [loop] = spaceOutWithin([{ config: { body: { nodes: inside, edges: [] } } }]);
  expect(loop?.config).toMatchObject({ body: { nodes: [{ position: at(0) }, { position: at(320) }], edges: [] } });
  const request = { config: { body: { nodes: [{ id: "no node" }] } } };
  expect(spaceOutWithin([request])).toEqual([request]);
});
