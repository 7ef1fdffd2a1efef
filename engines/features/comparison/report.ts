import type { Box } from '../../pdf/geometry'
import { countAllChanges } from './model'
import type { ComparedPage, Comparison, PageChange, PagePair, TextChange, TextPart, VisualChange } from './model'
import { boxOf, joinQuads, joinText } from './wording/page-words'

/** Numbers of pages and changes by kind. */
export interface Totals {
  pages: Record<PageChange, number>
  text: Record<TextChange['kind'], number>
  visual: number
}

/** Counts pages and changes. Text on inserted and removed pages doesn't count by itself. */
export function sumUp({ pairs }: Comparison): Totals {
  const totals: Totals = {
    pages: { same: 0, changed: 0, inserted: 0, removed: 0, moved: 0 },
    text: { replaced: 0, removed: 0, inserted: 0, moved: 0 },
    visual: 0,
  }
  for (const { change, text, visual } of pairs) {
    totals.pages[change]++
    totals.visual += visual.length
    if (change === 'inserted' || change === 'removed') continue
    for (const { kind } of text) totals.text[kind]++
  }
  return totals
}

/** Writes the comparison as JSON. The documentation describes it (`documentation.ts`). */
export function writeReport(comparison: Comparison): Buffer {
  const { before, after, pairs } = comparison
  const changes = countAllChanges(comparison)
  const totals = sumUp(comparison)
  const report = {
    equal: changes === 0,
    changes,
    totals: { ...totals, pages: { before: before.pages.length, after: after.pages.length, ...totals.pages } },
    pages: pairs.map(describePair),
  }
  return Buffer.from(`${JSON.stringify(report, null, 2)}\n`)
}

function describePair({
  before,
  after,
  change,
  text,
  visual,
  reflow,
  isResized,
  isTurned,
  visualComparison,
}: PagePair): unknown {
  return {
    before: before ? before.index + 1 : null,
    after: after ? after.index + 1 : null,
    change,
    text: text.map(({ kind, removed, inserted, areas }) => ({
      kind,
      removed: describePart(removed),
      inserted: describePart(inserted),
      areas: areas.map(describeArea),
    })),
    visual: visual.map(describeArea),
    size: isResized || isTurned ? { before: describeSize(before), after: describeSize(after) } : null,
    reflowed: reflow !== 'none',
    textCompared: before?.isReadable !== false && after?.isReadable !== false,
    visualComparison: before && after ? visualComparison : null,
  }
}

function describeArea({ before, after }: VisualChange): VisualChange {
  return { before: roundBox(before), after: roundBox(after) }
}

function describePart(part: TextPart | undefined): unknown {
  if (!part) return null
  return {
    page: part.page + 1,
    text: joinText(part.words),
    boxes: joinQuads(part.words).map(quad => roundBox(boxOf(quad))),
  }
}

function describeSize(page: ComparedPage | undefined): unknown {
  if (!page) return null
  const { width, height, rotation } = page.frame
  return { width: round(width), height: round(height), rotation }
}

function roundBox({ x, y, width, height }: Box): Box {
  return { x: round(x), y: round(y), width: round(width), height: round(height) }
}

function round(value: number): number {
  return Math.round(value * 100) / 100 || 0
}
