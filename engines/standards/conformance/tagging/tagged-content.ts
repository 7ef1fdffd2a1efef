import { PDFArray } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import * as Name from '../../../pdf/names'
import { PATH_PAINTING_OPERATORS, TEXT_SHOWING_OPERATORS } from '../../../pdf/syntax'
import type { ContentVisitor, StreamUse, StreamWalk } from '../../../pdf/walk-content'
import type { Examination } from '../examination/examination'
import { entryOf, plainDict, streamOf } from '../examination/model'
import { DRAWING_RULES, FORM_USE_RULES, SEQUENCE_RULES } from './content-rules'
import type { DrawingKind, SequenceSubject, SequenceTexts } from './content-rules'
import { FormUses } from './form-uses'
import type { StructureTree } from './structure-tree'
import { hasCatalogLanguage, isString, textEntry } from './values'

const DRAWING_OPERATORS = new Map<string, DrawingKind>([
  ...[...TEXT_SHOWING_OPERATORS].map(operator => [operator, 'text'] as const),
  ...[...PATH_PAINTING_OPERATORS].map(operator => [operator, 'path'] as const),
  ['sh', 'shading'],
  ['BI', 'image'],
])

/** Where content is: what it takes from structure elements and from sequences around it. */
interface Surroundings {
  isTagged: boolean
  isArtifact: boolean
  hasLanguage: boolean
}

const NOWHERE: Surroundings = { isTagged: false, isArtifact: false, hasLanguage: false }

const NO_TEXTS: SequenceTexts = { actualText: undefined, alternate: undefined, expansion: undefined }

/** A content stream that is being read. */
interface OpenStream {
  /** Undefined for appearances, patterns, glyphs and soft masks, and what they draw. Their content isn't checked. */
  around: Surroundings | undefined
  /** Elements by MCID. A single element if the stream as a whole belongs to an element. */
  elements: PDFObject | undefined
  /** Open sequences, the innermost last. */
  sequences: SequenceSubject[]
  /** Checks of the outermost sequence and what it contains. They wait until it is closed. */
  waiting: ({ sequence: SequenceSubject } | { kind: DrawingKind; inside: Surroundings })[]
}

/** Follows marked content (ISO 32000-1, 14.6) and checks that all content is tagged or an artifact. */
export class TaggedContent implements ContentVisitor {
  private readonly streams: OpenStream[] = []
  private readonly uses = new FormUses()
  private readonly hasCatalogLanguage: boolean
  /** What is around the form that `Do` draws next. */
  private entering: Surroundings | undefined

  constructor(
    private readonly examination: Examination,
    private readonly tree: StructureTree | undefined,
  ) {
    this.hasCatalogLanguage = hasCatalogLanguage(examination.document)
  }

  begin(walk: StreamWalk): void {
    const { kind } = walk.stream
    this.uses.begin(walk.stream)
    const around = kind === 'page' ? this.withCatalogLanguage(NOWHERE) : kind === 'form' ? this.entering : undefined
    this.streams.push({ around, elements: around && this.elementsOf(walk.stream.dict), sequences: [], waiting: [] })
    this.entering = undefined
  }

  end(walk: StreamWalk): void {
    const stream = this.streams.pop()
    this.uses.end(walk.stream)
    if (!stream?.around) return
    // Without its end, a sequence doesn't mark anything.
    for (const item of stream.waiting) if ('kind' in item) this.checkDrawing(item.kind, stream.around, walk)
  }

  enter({ kind }: StreamUse): string {
    const stream = this.streams.at(-1)
    this.entering = kind === 'form' ? stream && (stream.sequences.at(-1) ?? stream.around) : undefined
    if (!this.entering) return ''
    const { isTagged, isArtifact, hasLanguage } = this.entering
    return `${isTagged ? 't' : ''}${isArtifact ? 'a' : ''}${hasLanguage ? 'l' : ''}.`
  }

  operator(walk: StreamWalk): void {
    const { operator } = walk.reader
    if (operator === 'Do') this.uses.record(walk)
    const stream = this.streams.at(-1)
    if (!stream?.around) return
    if (operator === 'BDC' || operator === 'BMC') this.open(stream, stream.around, walk)
    else if (operator === 'EMC') this.close(stream, walk)
    else {
      const kind = operator === 'Do' ? (isImage(walk) ? 'image' : undefined) : DRAWING_OPERATORS.get(operator)
      if (kind === undefined) return
      const inside = stream.sequences.at(-1)
      if (inside) stream.waiting.push({ kind, inside })
      else this.checkDrawing(kind, stream.around, walk)
    }
  }

  finish(isComplete: boolean): void {
    const { examination } = this
    for (const { uses, location } of this.uses.count(examination.document))
      examination.apply(FORM_USE_RULES, { uses }, location)
    if (isComplete) return
    examination.leaveUndecided(SEQUENCE_RULES)
    examination.leaveUndecided(DRAWING_RULES)
    examination.leaveUndecided(FORM_USE_RULES)
  }

  private open(stream: OpenStream, around: Surroundings, walk: StreamWalk): void {
    const sequence = this.describe(walk, stream, stream.sequences.at(-1) ?? around)
    stream.sequences.push(sequence)
    stream.waiting.push({ sequence })
  }

  private close(stream: OpenStream, walk: StreamWalk): void {
    stream.sequences.pop()
    if (stream.sequences.length > 0) return
    for (const item of stream.waiting) {
      if ('kind' in item) this.checkDrawing(item.kind, item.inside, walk)
      else this.examination.apply(SEQUENCE_RULES, item.sequence, walk.location)
    }
    stream.waiting = []
  }

  private checkDrawing(kind: DrawingKind, { isTagged, isArtifact, hasLanguage }: Surroundings, walk: StreamWalk): void {
    this.examination.apply(DRAWING_RULES, { kind, isTagged, isArtifact, hasLanguage }, walk.location)
  }

  private describe(walk: StreamWalk, stream: OpenStream, around: Surroundings): SequenceSubject {
    const { document } = walk
    const tag = tagOf(walk)
    const properties = walk.reader.operator === 'BDC' ? plainDict(document, walk.properties) : undefined
    const element = this.elementFor(properties, stream.elements)
    return {
      tag,
      isTagged: element ? (this.tree?.isRooted(element) ?? false) : around.isTagged,
      isArtifact: around.isArtifact || tag === 'Artifact',
      hasLanguage:
        around.hasLanguage ||
        isString(document.peek(properties?.get(Name.Lang))) ||
        (this.tree?.hasLanguage(element) ?? false),
      // The texts only matter for Span.
      ...(tag === 'Span' ? this.textsOf(properties) : NO_TEXTS),
    }
  }

  private textsOf(properties: PDFDict | undefined): SequenceTexts {
    const { document } = this.examination
    return {
      actualText: textEntry(document, properties, 'ActualText'),
      alternate: textEntry(document, properties, 'Alt'),
      expansion: textEntry(document, properties, 'E'),
    }
  }

  private withCatalogLanguage(around: Surroundings): Surroundings {
    return { ...around, hasLanguage: around.hasLanguage || this.hasCatalogLanguage }
  }

  /** What the parent tree has for a stream. /StructParent means that the stream as a whole belongs to an element. */
  private elementsOf(dict: PDFDict): PDFObject | undefined {
    const { document } = this.examination
    const whole = document.peekNumber(entryOf(document, dict, 'StructParent'))
    return this.tree?.parentEntry(whole ?? document.peekNumber(entryOf(document, dict, 'StructParents')))
  }

  private elementFor(properties: PDFDict | undefined, elements: PDFObject | undefined): PDFDict | undefined {
    const { document } = this.examination
    const id = document.peekNumber(properties?.get(Name.MCID))
    if (id === undefined || !Number.isInteger(id) || id < 0) return undefined
    return elements instanceof PDFArray ? plainDict(document, elements.asArray()[id]) : plainDict(document, elements)
  }
}

/** The tag of `BMC` or `BDC`. */
function tagOf({ reader }: StreamWalk): string | undefined {
  return reader.nameAt(reader.operands.count - (reader.operator === 'BDC' ? 2 : 1))
}

function isImage(walk: StreamWalk): boolean {
  const image = streamOf(walk.document, walk.resource('XObject', walk.reader.name))
  return image !== undefined && walk.document.peekName(entryOf(walk.document, image.dict, 'Subtype')) === 'Image'
}
