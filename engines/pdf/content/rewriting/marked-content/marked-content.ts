import { PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import { NAME } from '../../../syntax/content-operands'
import { serialize } from '../../../syntax/serialize'
import type { StreamWalk } from '../../walk/stream-walk'
import type { ContentFilter } from '../content-filter'
import type { StreamEdits } from '../stream-edits'
import type { StreamResources } from '../stream-resources'
import type { MarkedContentChanges } from './tag-changes'
import * as Name from '../../../syntax/names'

/** Entries of a property list that repeat the content as text (ISO 32000-2, 14.9) or as a file (14.13.5). */
const TEXT_ENTRIES = ['ActualText', 'Alt', 'E', 'Phoneme', 'Contents', 'MCAF'].map(name => PDFName.of(name))

/** Maximum number of nested sequences. */
const MAX_OPEN = 10_000

interface Sequence {
  /** The property list and the range of its operand. Undefined if the sequence has none. */
  properties: PDFDict | undefined
  isNamed: boolean
  /** Whether the sequence belongs to a layer whose marks are removed, and whether that layer's content is removed. */
  isLayer: boolean
  isHidden: boolean
  start: number
  end: number
  keptBefore: number
  removedBefore: number
}

interface Request {
  walk: StreamWalk
  edits: StreamEdits
  resources: StreamResources
  filter: ContentFilter
  tags: MarkedContentChanges
  /** The page or form XObject that has the content. Undefined if its tags don't matter. */
  owner: PDFRef | undefined
}

/** Returns whether a property list repeats content. */
export function describesContent(properties: PDFDict | undefined): boolean {
  return TEXT_ENTRIES.some(key => properties?.has(key))
}

/**
 * Writes a property list for content without what repeats content. Leaves out references, which content must not have
 * (14.6.2).
 */
export function writeWithoutTexts(document: PdfDocument, properties: PDFDict): string {
  const entries = properties
    .entries()
    .filter(([key, value]) => !TEXT_ENTRIES.includes(key) && !(value instanceof PDFRef))
  return serialize(PDFDict.fromMapWithContext(new Map(entries), document.context), () => false)
}

/** Tracks the marked content of a stream (ISO 32000-2, 14.6). Removes texts that describe removed content. */
export class MarkedContent {
  kept = 0
  removed = 0
  private readonly open: Sequence[] = []
  private unfollowed = 0
  private hidden = 0

  constructor(private readonly request: Request) {}

  /** Whether the current point of the content is on a hidden layer. */
  get isHidden(): boolean {
    return this.hidden > 0
  }

  /** Counts elements that stay and elements that are removed. */
  count(kept: number, removed: number): void {
    this.kept += kept
    this.removed += removed
  }

  /** Handles `BMC` and `BDC`. If the filter hides layers, removes the operator of a layer, which then has no layer. */
  begin(): void {
    if (this.open.length >= MAX_OPEN) {
      this.request.filter.doubt?.()
      this.unfollowed++
      return
    }
    const { walk, filter, edits } = this.request
    const { document, reader, properties } = walk
    const { kinds, starts, ends, count } = reader.operands
    const last = count - 1
    const isNamed = properties !== undefined && kinds[last] === NAME
    const isLayer = filter.hidesLayer !== undefined && isNamed && reader.nameAt(last - 1) === 'OC'
    const isHidden = isLayer && filter.hidesLayer?.(properties) === true
    if (isLayer) edits.replace(reader.start, reader.end, '')
    if (isHidden) this.hidden++
    this.open.push({
      properties: isLayer ? undefined : document.peekDict(properties),
      isNamed,
      isLayer,
      isHidden,
      start: starts[last] ?? 0,
      end: ends[last] ?? 0,
      keptBefore: this.kept,
      removedBefore: this.removed,
    })
  }

  /** Handles `EMC`. */
  end(): void {
    if (this.unfollowed > 0) {
      this.unfollowed--
      return
    }
    const {
      edits,
      walk: { reader },
    } = this.request
    if (this.open.at(-1)?.isLayer) edits.replace(reader.start, reader.end, '')
    this.close()
  }

  /** Closes all sequences that the stream left open. */
  finish(): void {
    while (this.open.length > 0) this.close()
  }

  private close(): void {
    const sequence = this.open.pop()
    if (sequence?.isHidden) this.hidden--
    if (!sequence?.properties) return
    const { tags, owner } = this.request
    const kept = this.kept - sequence.keptBefore
    const removed = this.removed - sequence.removedBefore
    const id = this.request.walk.document.peekNumber(sequence.properties.get(Name.MCID))
    if (id !== undefined && owner) tags.count(owner, id, { kept, removed })
    if (removed > 0) this.removeTexts(sequence, sequence.properties, { isEmpty: kept === 0 })
  }

  /**
   * Removes texts from the property list of a sequence. If its content was removed, the list becomes empty, and with it
   * the sequence, so that `writePainted` leaves it out.
   */
  private removeTexts({ start, end, isNamed }: Sequence, properties: PDFDict, { isEmpty }: { isEmpty: boolean }): void {
    const { walk, edits, resources } = this.request
    const { document } = walk
    if (isEmpty) return edits.replace(start, end, '<<>>')
    if (!describesContent(properties)) return
    const entries = properties.entries().filter(([key]) => !TEXT_ENTRIES.includes(key))
    const withoutTexts = PDFDict.fromMapWithContext(new Map(entries), document.context)
    // A list that content names is in the resources (14.6.2). Another one is written in the content.
    const instead = isNamed
      ? `/${resources.add('Properties', document.register(withoutTexts))}`
      : serialize(withoutTexts, () => false)
    edits.replace(start, end, instead)
  }
}
