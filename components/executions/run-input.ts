/** Something that a run can begin with. */
export interface RunInput {
  readonly id: string;
  readonly label: string;
  readonly data: unknown;
}

const samplePrefix = "sample:";

/** Of a sample, by its name. */
export function sampleId(name: string): string {
  return `${samplePrefix}${name}`;
}

/** The name of the sample that an id stands for; null for anything else. */
export function sampleName(id: string): string | null {
  return id.startsWith(samplePrefix) ? id.slice(samplePrefix.length) : null;
}
