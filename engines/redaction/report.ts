import { createHash } from 'node:crypto'
import type { Warning } from '../types'
import type { PageAreas } from './areas'
import type { Rule } from './search'

interface Facts {
  pages: readonly PageAreas[]
  rules: readonly Rule[]
  /** Positions of the pages, from 0, that became pictures. */
  pictured: ReadonlySet<number>
  applied: number
  warnings: Iterable<Warning>
  file: { name: string; bytes: Uint8Array }
}

/** What was redacted, as JSON: where and how often, how many of a rule's matches were recognised in pictures, and which file it became, but nothing of the text. Boxes are in points from the lower-left corner of the page as seen. */
export function writeReport({ pages, rules, pictured, applied, warnings, file }: Facts): Uint8Array {
  const round = (value: number): number => Math.round(value * 100) / 100
  const report = {
    file: file.name,
    bytes: file.bytes.length,
    sha256: createHash('sha256').update(file.bytes).digest('hex'),
    redactionsApplied: applied,
    verified: true,
    rules: rules.map(({ param, found, recognised }) => ({ rule: nameOf(param), matches: found, recognised })),
    pages: pages.map(({ index, areas }) => ({
      page: index + 1,
      isPicture: pictured.has(index),
      boxes: areas.flatMap(({ box, param }) => (box ? [{ by: nameOf(param), x: round(box.x), y: round(box.y), width: round(box.width), height: round(box.height) }] : [])),
    })),
    warnings: [...warnings],
  }
  return Buffer.from(`${JSON.stringify(report, null, 2)}\n`)
}

/** `areas[2]` of `options.areas[2].replacementText`. */
function nameOf(param: string): string {
  return /^options\.(\w+\[\d+\])/.exec(param)?.[1] ?? param
}
