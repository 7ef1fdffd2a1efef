import { createHash } from 'node:crypto'
import type { DroppedEntries } from '../../pdf/object-model'
import type { Warning } from '../../types'
import type { PageAreas } from './areas/areas'
import type { Rule } from './search-rules/rule'
import { UNCHECKED_REASONS } from './unchecked-reasons'
import type { Unchecked } from './unchecked-reasons'

interface Facts {
  pages: readonly PageAreas[]
  rules: readonly Rule[]
  /** Positions of the pages, from 0, that became raster images. */
  rasterized: ReadonlySet<number>
  unchecked: readonly Unchecked[]
  /** Positions of the pages, from 0, that have text outside the page as displayed. */
  outside: ReadonlySet<number>
  applied: number
  /** The entries that the PDF standard doesn't define and that were dropped. */
  droppedEntries: DroppedEntries
  warnings: Iterable<Warning>
  file: { name: string; bytes: Uint8Array }
}

/**
 * Returns the report as JSON. It has the place of each box and the hash of the output. For each rule, it has the number
 * of matches, and how many of them were recognized in images or read in barcodes. The report contains no removed text. Boxes are in points
 * from the lower-left corner of the page as displayed.
 */
export function writeReport({
  pages,
  rules,
  rasterized,
  unchecked,
  outside,
  applied,
  droppedEntries,
  warnings,
  file,
}: Facts): Uint8Array {
  const round = (value: number): number => Math.round(value * 100) / 100
  const report = {
    file: file.name,
    bytes: file.bytes.length,
    sha256: createHash('sha256').update(file.bytes).digest('hex'),
    redactionsApplied: applied,
    verified: unchecked.length === 0,
    notChecked: unchecked.map(({ reason, pages: where, font }) => ({
      reason,
      message: UNCHECKED_REASONS[reason],
      ...(where && { pages: where.map(index => index + 1) }),
      ...(font !== undefined && { font }),
    })),
    rules: rules.map(({ param, found, recognized, inBarcodes }) => ({
      rule: nameOf(param),
      matches: found,
      recognized,
      inBarcodes,
    })),
    pages: withRasterized(pages, rasterized).map(({ index, areas }) => ({
      page: index + 1,
      isImage: rasterized.has(index),
      hasTextOutside: outside.has(index),
      boxes: areas.flatMap(({ box, param }) =>
        box
          ? [
              {
                by: nameOf(param),
                x: round(box.x),
                y: round(box.y),
                width: round(box.width),
                height: round(box.height),
              },
            ]
          : [],
      ),
    })),
    dropped: Object.fromEntries(droppedEntries),
    warnings: [...warnings],
  }
  return Buffer.from(`${JSON.stringify(report, null, 2)}\n`)
}

/** Returns the pages with areas and the pages that became raster images, in page order. */
function withRasterized(
  pages: readonly PageAreas[],
  rasterized: ReadonlySet<number>,
): Pick<PageAreas, 'index' | 'areas'>[] {
  const withoutAreas = [...rasterized].filter(index => pages.every(page => page.index !== index))
  return [...pages, ...withoutAreas.map(index => ({ index, areas: [] }))].sort((one, other) => one.index - other.index)
}

/** Shortens a parameter path, such as `options.areas[2].replacementText` to `areas[2]`. */
function nameOf(param: string): string {
  return /^options\.(\w+\[\d+\])/.exec(param)?.[1] ?? param
}
