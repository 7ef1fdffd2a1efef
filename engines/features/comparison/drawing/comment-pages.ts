import type { PDFRef } from 'pdf-lib'
import type { Color } from '../../../options/colors'
import { annotationsOf, separateAnnotations, setAnnotations } from '../../../pdf/annotations'
import { addContentStream } from '../../../pdf/rewrite-content'
import type { Page, PdfDocument } from '../../../pdf/document'
import { frameMatrix, mapPoint, measureFrame, toUserSpace, writeBox } from '../../../pdf/geometry'
import type { Box, Frame } from '../../../pdf/geometry'
import { writeNumbers, writeRounded, writeText } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import { writeColor } from '../../../options/colors'
import { numberOf } from './describe-pair'
import { MARK_COLORS, fillQuads, markState, outline } from './marks'
import type { ComparedPage, Comparison, PagePair, TextChange } from '../model'
import { boxOf, joinQuads, joinText } from '../wording/page-words'
import type { Quad, Word } from '../wording/page-words'
import type { Counterparts } from '../wording/text-changes'
import { addTo } from '../../../map-entries'

/** The author that readers show for the comments. */
const AUTHOR = 'Comparison'

/** Maximum number of characters of text in a comment. */
const MAX_TEXT = 2000

/** Side of a note in points, and its distance from the corner of the page. */
const NOTE_PT = 16
const NOTE_GAP_PT = 6

/** Size in points of the mark at the place of removed text. */
const CARET = { width: 8, height: 7 }

/** A comment. Its places are in points from the lower-left corner of the displayed page. */
type Comment = { contents: string; color: Color } & (
  | { kind: 'highlight'; quads: Quad[] }
  | { kind: 'caret'; x: number; y: number }
  | { kind: 'outline'; box: Box }
  | { kind: 'note' }
)

/**
 * Adds comments about all changes to the second file, as annotations that readers list. `document` is the second file
 * itself. The comments on inserted, replaced and moved text mark it. Removed text has a mark at its former place.
 */
export function addComments(document: PdfDocument, comparison: Comparison, counterparts: Counterparts): void {
  const comments = collectComments(comparison, counterparts)
  const pages = [...comments.keys()].flatMap(index => document.pages[index] ?? [])
  separateAnnotations(document, pages)
  if (comments.size) document.saving.addedFeatures.addUnchecked()
  for (const [index, list] of comments) {
    const page = document.pages[index]
    if (!page) continue
    const frame = measureFrame(document, page)
    let notes = 0
    const added = list.map(comment =>
      writeComment(document, { page, frame }, comment, comment.kind === 'note' ? notes++ : 0),
    )
    setAnnotations(document, page, [...annotationsOf(document, page), ...added])
  }
}

/** Comments by position of the page in the second file. */
function collectComments({ pairs }: Comparison, counterparts: Counterparts): Map<number, Comment[]> {
  const comments = new Map<number, Comment[]>()
  const places = new Map(
    pairs.flatMap(({ before, after }) => (before && after ? [[before.index, { before, after }]] : [])),
  )
  let waiting: PagePair[] = []
  let last: ComparedPage | undefined
  for (const pair of pairs) {
    if (!pair.after) {
      waiting.push(pair)
      continue
    }
    last = pair.after
    for (const removed of waiting) addTo(comments, pair.after.index, noteRemoved(removed, 'before'))
    waiting = []
    for (const comment of notePage(pair)) addTo(comments, pair.after.index, comment)
    if (pair.change !== 'inserted')
      for (const change of pair.text)
        addTo(comments, pair.after.index, commentOn(change, places, pair.after, counterparts))
    for (const { after } of pair.visual)
      addTo(comments, pair.after.index, {
        kind: 'outline',
        box: after,
        color: MARK_COLORS.visual,
        contents: 'Looks different.',
      })
  }
  if (last) for (const removed of waiting) addTo(comments, last.index, noteRemoved(removed, 'after'))
  return comments
}

function noteRemoved({ before }: PagePair, place: 'before' | 'after'): Comment {
  const text = before?.words.length ? ` Its text: ${clip(joinText(before.words))}` : ''
  return {
    kind: 'note',
    color: MARK_COLORS.removed,
    contents: `Page ${numberOf(before)} of the first file was removed. It stood ${place} this page.${text}`,
  }
}

function notePage({ before, after, change, isResized, isTurned, reflow }: PagePair): Comment[] {
  const notes: { contents: string; color: Color }[] = []
  if (change === 'inserted') notes.push({ contents: 'This page was inserted.', color: MARK_COLORS.inserted })
  if (change === 'moved')
    notes.push({ contents: `This page was page ${numberOf(before)} of the first file.`, color: MARK_COLORS.moved })
  if ((isResized || isTurned) && before && after)
    notes.push({
      contents: `The page was ${describeSize(before.frame)}. It is ${describeSize(after.frame)}.`,
      color: MARK_COLORS.visual,
    })
  if (reflow === 'unexplained')
    notes.push({ contents: 'Text of this page stands on another page of the first file.', color: MARK_COLORS.moved })
  return notes.map(note => ({ kind: 'note', ...note }))
}

function describeSize({ width, height, rotation }: Frame): string {
  return `${Math.round(width)} × ${Math.round(height)} points, rotated by ${rotation} degrees`
}

function commentOn(
  { kind, removed, inserted }: TextChange,
  places: ReadonlyMap<number, { before: ComparedPage; after: ComparedPage }>,
  page: ComparedPage,
  counterparts: Counterparts,
): Comment {
  const old = removed ? clip(joinText(removed.words)) : ''
  if (!inserted) {
    const place = removed && findPlace(removed.words, places.get(removed.page), counterparts)
    const { x, y } = place ?? { x: NOTE_GAP_PT, y: page.frame.height - NOTE_GAP_PT - CARET.height }
    return { kind: 'caret', x, y, color: MARK_COLORS.removed, contents: `Removed: ${old}` }
  }
  const quads = joinQuads(inserted.words)
  if (kind === 'moved')
    return {
      kind: 'highlight',
      quads,
      color: MARK_COLORS.moved,
      contents: `Moved from page ${(removed?.page ?? 0) + 1} of the first file.`,
    }
  return { kind: 'highlight', quads, color: MARK_COLORS.inserted, contents: removed ? `Replaced: ${old}` : 'Inserted.' }
}

function clip(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()}…`
}

/** The place of removed words: after the word that preceded them, or before the word that followed them. */
function findPlace(
  words: readonly Word[],
  pages: { before: ComparedPage; after: ComparedPage } | undefined,
  counterparts: Counterparts,
): { x: number; y: number } | undefined {
  if (!pages) return undefined
  const all = pages.before.words
  const start = all.indexOf(words[0] as Word) // a change has at least one word
  const counterpartOn = (word: Word | undefined): Word | undefined => {
    const counterpart = word && counterparts.get(word)
    return counterpart?.page === pages.after.index ? counterpart : undefined
  }
  for (let at = start - 1; at >= 0; at--) {
    const quad = counterpartOn(all[at])?.quads.at(-1)
    if (quad) return { x: quad[2], y: quad[3] }
  }
  for (let at = start + words.length; at < all.length; at++) {
    const quad = counterpartOn(all[at])?.quads[0]
    if (quad) return { x: quad[0], y: quad[1] }
  }
  return undefined
}

const KINDS = { highlight: 'Highlight', caret: 'Caret', outline: 'Square', note: 'Text' } as const

/** Adds an annotation with its appearance (ISO 32000-2, 12.5.6). `position` counts the notes of a page. */
function writeComment(
  document: PdfDocument,
  { page, frame }: { page: Page; frame: Frame },
  comment: Comment,
  position: number,
): PDFRef {
  const box = areaOf(comment, frame, position)
  const { context } = document
  const { r, g, b } = comment.color
  const dict = context.obj({
    Type: 'Annot',
    Subtype: KINDS[comment.kind],
    Rect: writeBox(document, toUserSpace(frame, box)),
    C: [r, g, b].map(part => Math.round((part / 255) * 1000) / 1000),
    F: comment.kind === 'note' ? 4 + 8 + 16 : 4,
    P: page.ref,
    ...(comment.kind === 'highlight' && { QuadPoints: writeQuads(comment.quads, frame) }),
    ...(comment.kind === 'note' && { Name: 'Note' }),
  })
  dict.set(Name.Contents, writeText(comment.contents))
  dict.set(Name.T, writeText(AUTHOR))
  dict.set(Name.AP, context.obj({ N: drawAppearance(document, comment, { box, frame }) }))
  return document.register(dict)
}

function areaOf(comment: Comment, frame: Frame, position: number): Box {
  switch (comment.kind) {
    case 'highlight': {
      const boxes = comment.quads.map(boxOf)
      const [x, y] = [Math.min(...boxes.map(box => box.x)), Math.min(...boxes.map(box => box.y))]
      const [right, top] = [
        Math.max(...boxes.map(box => box.x + box.width)),
        Math.max(...boxes.map(box => box.y + box.height)),
      ]
      return { x, y, width: right - x, height: top - y }
    }
    case 'caret':
      return { x: comment.x - CARET.width / 2, y: comment.y - CARET.height / 2, ...CARET }
    case 'outline': {
      const { x, y, width, height } = comment.box
      return { x: x - 4, y: y - 4, width: width + 8, height: height + 8 }
    }
    case 'note': {
      const x = NOTE_GAP_PT + position * (NOTE_PT + NOTE_GAP_PT)
      return { x, y: frame.height - NOTE_PT - NOTE_GAP_PT, width: NOTE_PT, height: NOTE_PT }
    }
  }
}

/** Corners in the order that readers expect: upper left, upper right, lower left, lower right. */
function writeQuads(quads: readonly Quad[], frame: Frame): number[] {
  const matrix = frameMatrix(frame)
  return quads.flatMap(([x1, y1, x2, y2, x3, y3, x4, y4]) =>
    [
      [x4, y4],
      [x3, y3],
      [x1, y1],
      [x2, y2],
    ]
      .flatMap(([x = 0, y = 0]) => mapPoint(matrix, x, y))
      .map(value => Math.round(value * 100) / 100),
  )
}

/** Draws the appearance in displayed coordinates. Its matrix rotates it with the page. */
function drawAppearance(document: PdfDocument, comment: Comment, { box, frame }: { box: Box; frame: Frame }): PDFRef {
  const { context } = document
  return addContentStream(document, drawComment(comment, box), {
    Type: Name.XObject,
    Subtype: Name.Form,
    BBox: writeBox(document, box),
    // A note doesn't rotate with the page.
    ...(comment.kind !== 'note' && {
      Matrix: context.obj(frameMatrix(frame).map(value => Math.round(value * 10_000) / 10_000)),
    }),
    Resources: context.obj(comment.kind === 'highlight' ? { ExtGState: { Mark: markState(document) } } : {}),
  })
}

function drawComment(comment: Comment, { x, y, width, height }: Box): string {
  switch (comment.kind) {
    case 'highlight':
      return fillQuads(comment.quads, kindOf(comment.color), 'Mark')
    case 'outline':
      return outline(comment.box, comment.color)
    case 'caret':
      return (
        `${writeColor(comment.color, 'rg')} ${writeRounded(x)} ${writeRounded(y)} m ` +
        `${writeRounded(x + width / 2)} ${writeRounded(y + height)} l ${writeRounded(x + width)} ${writeRounded(y)} l h f`
      )
    case 'note': {
      const lines = [0.3, 0.5, 0.7].map(share => {
        const level = writeRounded(y + height * share)
        return `${writeRounded(x + width * 0.22)} ${level} m ${writeRounded(x + width * 0.78)} ${level} l S`
      })
      const card = writeNumbers([x, y, width, height].map(value => Math.round(value * 100) / 100))
      return `${writeColor(comment.color, 'rg')} ${card} re f\n1 G 1.2 w\n${lines.join('\n')}`
    }
  }
}

function kindOf(color: Color): 'inserted' | 'moved' {
  return color === MARK_COLORS.moved ? 'moved' : 'inserted'
}
