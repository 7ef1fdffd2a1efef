import published from './redaction-traps.json' with { type: 'json' }

/** Traps of one kind, as they are published. */
interface PublishedGroup {
  name: string
  /** What the traps contain. */
  cause: string
  constructions: { name: string; tried: number; verified: number; leaked: number }[]
}

/** The last published run of the redaction traps. `node tests/redaction-traps/publish.mjs` writes this file. */
export const REDACTION_TRAPS: { date: string; groups: PublishedGroup[] } = published

/** What the counts of our own traps don't show. A set of files by others found these leaks. */
export const OTHER_LEAKS =
  'An independent set of files found about 20 other ways that leak, although the response says verified.'

/** The numbers of traps, constructions, responses with `verified`, and leaks. */
export interface TrapCounts {
  constructions: number
  tried: number
  verified: number
  leaked: number
}

/** Adds up the counts of groups. */
export function countTraps(groups: readonly PublishedGroup[] = REDACTION_TRAPS.groups): TrapCounts {
  const constructionRows = groups.flatMap(({ constructions }) => constructions)
  const sum = (key: 'tried' | 'verified' | 'leaked'): number =>
    constructionRows.reduce((total, one) => total + one[key], 0)
  return {
    constructions: constructionRows.length,
    tried: sum('tried'),
    verified: sum('verified'),
    leaked: sum('leaked'),
  }
}

/** Lists the constructions of a group, each with its number of traps. */
export function listConstructions({ constructions }: PublishedGroup): string {
  return constructions.map(({ name, tried }) => `${name} (${tried})`).join(' · ')
}
