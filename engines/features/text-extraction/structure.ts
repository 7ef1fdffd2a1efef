import { PDFArray, PDFBool, PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { RoleMap } from '../../standards/conformance/tagging/role-map'
import type { PdfDocument } from '../../pdf/document'
import { readBox } from '../../pdf/geometry'
import type { Box } from '../../pdf/geometry'
import { kidsOf } from '../../pdf/document'
import * as Name from '../../pdf/names'
import { readText } from '../../pdf/syntax'
import type { BlockRole } from './lines/model'

const [ACTUAL_TEXT, ALT, ATTRIBUTES, ROW_SPAN, COLUMN_SPAN, STREAM, SUSPECTS] = [
  'ActualText',
  'Alt',
  'A',
  'RowSpan',
  'ColSpan',
  'Stm',
  'Suspects',
].map(name => PDFName.of(name)) as [PDFName, PDFName, PDFName, PDFName, PDFName, PDFName, PDFName] // seven names

/** Types for parts of a line (ISO 32000-1, 14.8.4.4). The last three are of ISO 32000-2. */
const INLINE = new Set('Span Link Quote Reference Annot Form Ruby RB RT RP Warichu WT WP Em Strong Sub'.split(' '))

/** Types that say what their text is. Other types only group. */
const BLOCKS = new Set('P H L LI LBody Table TR TD TH TOC TOCI BlockQuote Caption Note BibEntry Formula'.split(' '))

/** Headings may have any level (ISO 32000-2, 14.8.4.5). */
const HEADING = /^H(\d{1,3})$/

/** Maximum nesting and number of elements, and of the rows or columns that a cell spans. */
const MAX_DEPTH = 200
const MAX_ELEMENTS = 500_000
const MAX_SPAN = 200

/** A reference to marked content of a page. */
export interface ContentItem {
  pageIndex: number
  mcid: number
  /** Whether it is the mark of a list item. */
  isMark: boolean
  /** Text in place of the content. The items of the same text share this object. */
  replacement?: { text: string }
}

/** A cell of a tagged table. */
export interface TaggedCell {
  isHeader: boolean
  rowSpan: number
  columnSpan: number
  items: ContentItem[]
}

/** A part of the text in the logical order of the tags. */
export interface TaggedPart {
  role: BlockRole
  level?: number
  items: ContentItem[]
  alternativeText?: string
  /** Rows of a table. */
  rows?: TaggedCell[][]
  /** No tag says what the text is, only which content belongs together. */
  isGroup?: boolean
  /** Set for elements that only group: whether their content may be several paragraphs. */
  isLoose?: boolean
  /** A part of its lines is tagged as code. */
  hasCode?: boolean
  /** Set for list items after a paragraph of their text has ended. */
  hasParagraph?: boolean
  /** Box of a figure from its attributes, in default user space. */
  box?: Box
}

/** What is below an element. */
interface Contents {
  /** Elements that say what their text is. */
  hasBlocks: boolean
  hasElements: boolean
  /** All of its kids are parts of lines, so that its text is a paragraph. */
  isFlow: boolean
}

interface Context {
  pageIndex: number
  part: TaggedPart | TaggedCell | undefined
  table: TaggedPart | undefined
  isMark: boolean
  isInline: boolean
  listDepth: number
  headingDepth: number
  replacement: { text: string } | undefined
  depth: number
  role: BlockRole
}

/**
 * Reads the structure tree (ISO 32000-2, 14.7) as parts in logical order. Undefined if there are no tags, or if the file
 * says that they may be wrong (ISO 32000-2, table 353).
 */
export function readStructure(document: PdfDocument): TaggedPart[] | undefined {
  const suspects = document.peek(document.peekDict(document.catalog.get(Name.MarkInfo))?.get(SUSPECTS))
  if (suspects === PDFBool.True) return undefined
  const root = document.peekDict(document.catalog.get(Name.StructTreeRoot))
  return root && new StructureReader(document, root).read(root)
}

class StructureReader {
  private readonly parts: TaggedPart[] = []
  private readonly roles: RoleMap
  private readonly pages: Map<PDFRef, number>
  private readonly visited = new Set<PDFDict>()
  private readonly contents = new Map<PDFDict, Contents>()

  constructor(
    private readonly document: PdfDocument,
    root: PDFDict,
  ) {
    this.roles = new RoleMap(document, root.get(Name.RoleMap))
    this.pages = new Map(document.pages.map(({ ref }, index) => [ref, index]))
  }

  read(root: PDFDict): TaggedPart[] {
    this.readKids(root, {
      pageIndex: -1,
      part: undefined,
      table: undefined,
      isMark: false,
      isInline: false,
      listDepth: 0,
      headingDepth: 0,
      replacement: undefined,
      depth: 0,
      role: 'paragraph',
    })
    // Where other tags have a meaning, a paragraph without one is more than a group.
    const hasMeaning = this.parts.some(({ isGroup, role }) => !isGroup && role !== 'figure')
    if (hasMeaning) for (const part of this.parts) if (part.isLoose === false) part.isGroup = false
    return this.parts
  }

  private readKids(element: PDFDict, context: Context): void {
    // Content directly in a grouping element is a paragraph of its own.
    let own = context
    for (const kid of kidsOf(this.document, element)) {
      const value = this.document.peek(kid)
      if (value instanceof PDFNumber) own = this.addContent(own, own.pageIndex, value.asNumber())
      else if (value instanceof PDFDict) own = this.readKid(value, own, context)
    }
  }

  private readKid(kid: PDFDict, own: Context, context: Context): Context {
    const { document } = this
    const mcid = document.peekNumber(kid.get(Name.MCID))
    if (mcid !== undefined && !kid.has(Name.S)) {
      // Content of form XObjects has identifiers of its own, which PDFium doesn't tell apart.
      return kid.has(STREAM) ? own : this.addContent(own, this.pageOf(kid) ?? own.pageIndex, mcid)
    }
    if (!kid.has(Name.S) || this.visited.has(kid) || context.depth >= MAX_DEPTH || this.visited.size >= MAX_ELEMENTS)
      return own
    this.visited.add(kid)
    const type = this.typeOf(kid)
    const inner = this.enter(kid, type, own)
    this.readKids(kid, inner)
    if (type === 'P' && inner.part && isListItem(inner.part)) inner.part.hasParagraph = true
    // An inline element may have begun a paragraph, which goes on after it.
    if (context.part === undefined && inner.isInline && inner.part) return { ...own, part: inner.part }
    return inner.isInline ? own : { ...context }
  }

  /** The standard type of an element. Unknown types only group, as `Div` does. */
  private typeOf(element: PDFDict): string {
    const name = this.document.peekName(element.get(Name.S))
    const type = this.roles.standardTypeOf(name)
    if (type !== undefined) return type
    if (name === 'FENote') return 'Note'
    return name !== undefined && (INLINE.has(name) || HEADING.test(name)) ? name : 'Div'
  }

  /** Reads what an element has below it, once for each element. */
  private contentsOf(element: PDFDict, depth: number): Contents {
    const known = this.contents.get(element)
    if (known) return known
    const found: Contents = { hasBlocks: false, hasElements: false, isFlow: false }
    // A loop ends here.
    this.contents.set(element, found)
    if (depth >= MAX_DEPTH || this.contents.size > MAX_ELEMENTS) return found
    let isFlow = true
    for (const kid of kidsOf(this.document, element)) {
      const value = this.document.peek(kid)
      if (!(value instanceof PDFDict) || !value.has(Name.S)) {
        if (value instanceof PDFNumber || (value instanceof PDFDict && value.has(Name.MCID))) isFlow = false
        continue
      }
      found.hasElements = true
      const type = this.typeOf(value)
      const below = this.contentsOf(value, depth + 1)
      if (BLOCKS.has(type) || HEADING.test(type) || below.hasBlocks) found.hasBlocks = true
      isFlow &&= INLINE.has(type) || type === 'Code' || (type === 'NonStruct' && !below.hasElements)
    }
    found.isFlow = isFlow && found.hasElements && !found.hasBlocks
    return found
  }

  private enter(element: PDFDict, type: string, context: Context): Context {
    const { document } = this
    const pageIndex = this.pageOf(element) ?? context.pageIndex
    const actualText = readText(document.peek(element.get(ACTUAL_TEXT)))
    const inner: Context = {
      ...context,
      pageIndex,
      depth: context.depth + 1,
      replacement: context.replacement ?? (actualText === undefined ? undefined : { text: actualText }),
      isInline: false,
    }
    if (this.isInline(element, type, inner)) {
      const part = context.part ?? this.beginGroup(context.role, type !== 'NonStruct')
      if (type === 'Code' && 'role' in part) part.hasCode = true
      return { ...inner, part, isInline: true }
    }
    const isInCell = context.part !== undefined && 'rowSpan' in context.part
    if (type === 'Lbl') return { ...inner, isMark: isListItem(context.part), isInline: context.part !== undefined }
    if (isInCell && type !== 'Table') return inner
    if (type === 'Table' && !isInCell) {
      const table = { ...this.begin('table'), rows: [] }
      this.parts[this.parts.length - 1] = table
      return { ...inner, table, part: undefined }
    }
    if (context.table?.rows) {
      if (type === 'TR') {
        context.table.rows.push([])
        return inner
      }
      if (type === 'TD' || type === 'TH') {
        if (context.table.rows.length === 0) context.table.rows.push([])
        const cell = { isHeader: type === 'TH', ...this.spansOf(element), items: [] }
        context.table.rows.at(-1)?.push(cell)
        return { ...inner, part: cell }
      }
      if (type !== 'Caption') return inner
    }
    return this.enterBlock(element, type, inner)
  }

  /** Returns whether an element is a part of the lines around it. */
  private isInline(element: PDFDict, type: string, { part, depth }: Context): boolean {
    if (INLINE.has(type)) return true
    const isGroup = !BLOCKS.has(type) && !/^(H\d+|Figure|THead|TBody|TFoot|Lbl)$/.test(type)
    if (!isGroup) return false
    const { hasBlocks, hasElements, isFlow } = this.contentsOf(element, depth)
    // Beside the paragraphs of a list item, a group of inline elements is a block.
    if (isListItem(part) && part.hasParagraph && isFlow && type !== 'Code') return false
    if (part) return !hasBlocks
    // Some programs wrap each run of text in an element without a meaning.
    return type === 'NonStruct' && !hasElements
  }

  private enterBlock(element: PDFDict, type: string, inner: Context): Context {
    const level = HEADING.exec(type)?.[1]
    if (level || type === 'H') {
      const part = this.begin('heading')
      part.level = level ? Math.min(6, Math.max(1, Number(level))) : Math.min(6, Math.max(1, inner.headingDepth))
      return { ...inner, part }
    }
    switch (type) {
      case 'Sect':
      case 'Art':
      case 'Part':
        return { ...inner, part: undefined, headingDepth: inner.headingDepth + 1 }
      case 'L':
        return { ...inner, part: undefined, listDepth: inner.listDepth + 1, isMark: false }
      case 'LI': {
        const part = this.begin('list-item')
        part.level = Math.max(1, inner.listDepth)
        return { ...inner, part, isMark: false }
      }
      case 'LBody':
        return { ...inner, isMark: false }
      case 'P':
      case 'TOCI':
      case 'Note':
      case 'BibEntry':
        // The first paragraph of a list item is its text.
        if (isListItem(inner.part) && inner.part?.items.every(({ isMark }) => isMark)) return inner
        return { ...inner, part: this.begin(inner.role) }
      case 'Caption':
        return { ...inner, part: this.begin('caption'), table: undefined }
      case 'BlockQuote':
        return { ...inner, part: undefined, role: 'quote' }
      case 'Code':
        return { ...inner, part: this.begin('code') }
      case 'Figure':
      case 'Formula': {
        const part = this.begin('figure')
        const alternative = readText(this.document.peek(element.get(ALT)))
        if (alternative) part.alternativeText = alternative.slice(0, 10_000)
        const box = readBox(this.document, this.attributeOf(element, Name.BBox))
        if (box) part.box = box
        return { ...inner, part }
      }
      default:
        if (isListItem(inner.part) && !inner.part.hasParagraph) return inner
        return {
          ...inner,
          part: this.contentsOf(element, inner.depth).isFlow ? this.beginGroup(inner.role, false) : undefined,
        }
    }
  }

  private addContent(context: Context, pageIndex: number, mcid: number): Context {
    const part = context.part ?? this.beginGroup(context.role, true)
    const { isMark, replacement } = context
    part.items.push({ pageIndex, mcid, isMark, ...(replacement && { replacement }) })
    return context.part ? context : { ...context, part }
  }

  private begin(role: BlockRole): TaggedPart {
    const part: TaggedPart = { role, items: [] }
    this.parts.push(part)
    return part
  }

  /** Begins a part of elements that only group. */
  private beginGroup(role: BlockRole, isLoose: boolean): TaggedPart {
    return Object.assign(this.begin(role), { isGroup: true, isLoose })
  }

  private pageOf(element: PDFDict): number | undefined {
    const ref = element.get(Name.Pg)
    return ref instanceof PDFRef ? this.pages.get(ref) : undefined
  }

  private spansOf(element: PDFDict): { rowSpan: number; columnSpan: number } {
    const read = (key: PDFName): number => {
      const span = this.document.peekNumber(this.attributeOf(element, key))
      return span !== undefined && span >= 1 ? Math.min(MAX_SPAN, Math.floor(span)) : 1
    }
    return { rowSpan: read(ROW_SPAN), columnSpan: read(COLUMN_SPAN) }
  }

  /** An attribute of an element (ISO 32000-2, 14.7.6). */
  private attributeOf(element: PDFDict, key: PDFName): PDFObject | undefined {
    const { document } = this
    const value = document.peek(element.get(ATTRIBUTES))
    const list: (PDFObject | undefined)[] = value instanceof PDFArray ? value.asArray().slice(0, 50) : [value]
    for (const item of list) {
      const found = document.peekDict(item)?.get(key)
      if (found !== undefined) return found
    }
    return undefined
  }
}

function isListItem(part: TaggedPart | TaggedCell | undefined): part is TaggedPart {
  return part !== undefined && 'role' in part && part.role === 'list-item'
}
