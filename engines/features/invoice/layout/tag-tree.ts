import { PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { writeNumberTree } from '../../../pdf/document'
import { writeText } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import { findOrAdd } from '../../../map-entries'

/** Standard structure types (ISO 32000-2, 14.8.4). */
export type TagKind =
  | 'Document'
  | 'Sect'
  | 'H1'
  | 'H2'
  | 'P'
  | 'Table'
  | 'THead'
  | 'TBody'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Figure'
  | 'Link'
  | 'L'
  | 'LI'
  | 'Lbl'
  | 'LBody'

/** A structure element. */
export interface Tag {
  kind: TagKind
  ref: PDFRef
  dict: PDFDict
  kids: PDFObject[]
  /** Page of the first content. Integers in `kids` are marked-content identifiers on this page. */
  page: PDFRef | undefined
  parent: Tag | undefined
  entries: Record<string, PDFObject>
}

/** Owners of a page's marked content, for the parent tree. */
interface MarkedPage {
  ref: PDFRef
  owners: PDFRef[]
}

/**
 * The structure tree of a new document: elements in reading order, their marked content by page, and the parent tree
 * from content to elements (ISO 32000-2, 14.7). The tree is written after all content has been drawn.
 */
export class TagTree {
  readonly root: Tag
  private readonly tags: Tag[] = []
  private readonly pages = new Map<PDFRef, MarkedPage>()
  private readonly objects: PDFRef[] = []
  private readonly attributes = new Map<string, PDFObject>()

  constructor(
    private readonly document: PdfDocument,
    entries: Record<string, PDFObject> = {},
  ) {
    this.root = this.create('Document', undefined, entries)
  }

  /** Adds an element after the other children of its parent. */
  add(kind: TagKind, parent: Tag = this.root, entries: Record<string, PDFObject> = {}): Tag {
    const tag = this.create(kind, parent, entries)
    parent.kids.push(tag.ref)
    return tag
  }

  /** Adds a header cell of a column or row. `columns` is the number of columns that it extends over. */
  addHeading(scope: 'Column' | 'Row', parent: Tag, columns = 1): Tag {
    const key = `${scope} ${columns}`
    const entries = { O: 'Table', Scope: scope, ...(columns > 1 && { ColSpan: columns }) }
    const attribute = this.attributes.get(key) ?? this.document.register(this.document.context.obj(entries))
    this.attributes.set(key, attribute)
    return this.add('TH', parent, { A: attribute })
  }

  /** Adds a list item with a label and a value. */
  addPair(list: Tag): { label: Tag; value: Tag } {
    const item = this.add('LI', list)
    return { label: this.add('Lbl', item), value: this.add('LBody', item) }
  }

  /** Adds an image with its alternative text, which must not be empty (ISO 14289-1, 7.3). Only labels of codes can be. */
  addFigure(alternative: string, box: number[], parent: Tag = this.root): Tag {
    const { context } = this.document
    return this.add('Figure', parent, {
      Alt: writeText(alternative.trim() || 'QR code'),
      A: context.obj({ O: 'Layout', BBox: box, Placement: 'Block' }),
    })
  }

  /** Assigns a marked-content identifier to content of an element. */
  mark(tag: Tag, page: PDFRef): number {
    const markedPage = findOrAdd(this.pages, page, () => ({ ref: page, owners: [] }))
    const number = markedPage.owners.length
    markedPage.owners.push(tag.ref)
    tag.page ??= page
    tag.kids.push(
      tag.page === page ? PDFNumber.of(number) : this.document.context.obj({ Type: 'MCR', Pg: page, MCID: number }),
    )
    return number
  }

  /** Adds an annotation to an element. */
  own(tag: Tag, annotation: PDFRef, page: PDFRef): void {
    tag.kids.push(this.document.context.obj({ Type: 'OBJR', Obj: annotation, Pg: page }))
    this.objects.push(tag.ref)
  }

  /**
   * Writes the tree to the catalog, and the keys of pages and annotations in the parent tree. The annotations are in
   * the order of `own` calls.
   */
  write(annotations: readonly PDFDict[]): void {
    const { document } = this
    const { context } = document
    const pages = [...this.pages.values()]
    const entries = pages.map((page, key): { key: number; value: PDFObject } => {
      const dict = document.edit(page.ref)
      dict.set(Name.StructParents, PDFNumber.of(key))
      return { key, value: document.register(context.obj(page.owners)) }
    })
    for (const [index, ref] of this.objects.entries()) entries.push({ key: pages.length + index, value: ref })
    for (const [index, annotation] of annotations.entries())
      annotation.set(Name.StructParent, PDFNumber.of(pages.length + index))
    const rootRef = document.register(
      context.obj({
        Type: 'StructTreeRoot',
        K: [this.root.ref],
        ParentTree: writeNumberTree(document, entries),
        ParentTreeNextKey: entries.length,
        RoleMap: {},
      }),
    )
    for (const tag of this.tags) this.writeTag(tag, rootRef)
    const catalog = document.editCatalog()
    catalog.set(Name.StructTreeRoot, rootRef)
    catalog.set(Name.MarkInfo, context.obj({ Marked: true }))
  }

  private create(kind: TagKind, parent: Tag | undefined, entries: Record<string, PDFObject>): Tag {
    const dict = PDFDict.withContext(this.document.context)
    const tag = { kind, parent, dict, ref: this.document.register(dict), kids: [], page: undefined, entries }
    this.tags.push(tag)
    return tag
  }

  private writeTag({ kind, dict, kids, page, parent, entries }: Tag, rootRef: PDFRef): void {
    const [only] = kids
    dict.set(Name.S, PDFName.of(kind))
    dict.set(Name.P, parent?.ref ?? rootRef)
    if (page) dict.set(Name.Pg, page)
    if (only) dict.set(Name.K, kids.length === 1 ? only : this.document.context.obj(kids))
    for (const [name, value] of Object.entries(entries)) dict.set(PDFName.of(name), value)
  }
}
