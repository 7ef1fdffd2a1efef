import { PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import { writeNumberTree } from '../../pdf-core/document/name-tree'
import { writeText } from '../../pdf-core/syntax/text-string'
import * as Name from '../../pdf-core/syntax/names'

/** What an element is: standard structure types (ISO 32000-2, 14.8.4). */
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

/** An element of the structure tree. */
export interface Tag {
  kind: TagKind
  ref: PDFRef
  dict: PDFDict
  kids: PDFObject[]
  /** Of its first content; a number among its kids is content of this page. */
  page: PDFRef | undefined
  parent: Tag | undefined
  entries: Record<string, PDFObject>
}

/** The content of a page by its marks, for the tree of parents. */
interface MarkedPage {
  ref: PDFRef
  owners: PDFRef[]
}

/**
 * The structure of a new document: elements in reading order, what is drawn for them page by page, and the way back
 * from content to elements (ISO 32000-2, 14.7). It is written once all is drawn.
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

  /** A new element behind the others of its parent. */
  add(kind: TagKind, parent: Tag = this.root, entries: Record<string, PDFObject> = {}): Tag {
    const tag = this.create(kind, parent, entries)
    parent.kids.push(tag.ref)
    return tag
  }

  /** A cell that heads its column or its row. */
  addHeading(scope: 'Column' | 'Row', parent: Tag): Tag {
    const known = this.attributes.get(scope)
    const attribute = known ?? this.document.register(this.document.context.obj({ O: 'Table', Scope: scope }))
    this.attributes.set(scope, attribute)
    return this.add('TH', parent, { A: attribute })
  }

  /** A label and what it says, as an item of a list. */
  addPair(list: Tag): { label: Tag; value: Tag } {
    const item = this.add('LI', list)
    return { label: this.add('Lbl', item), value: this.add('LBody', item) }
  }

  /** A picture with the text that stands for it. */
  addFigure(alternative: string, box: number[], parent: Tag = this.root): Tag {
    const { context } = this.document
    return this.add('Figure', parent, {
      Alt: writeText(alternative),
      A: context.obj({ O: 'Layout', BBox: box, Placement: 'Block' }),
    })
  }

  /** The number by which content of a page belongs to an element. */
  mark(tag: Tag, page: PDFRef): number {
    const known = this.pages.get(page) ?? { ref: page, owners: [] }
    this.pages.set(page, known)
    const number = known.owners.length
    known.owners.push(tag.ref)
    tag.page ??= page
    tag.kids.push(
      tag.page === page ? PDFNumber.of(number) : this.document.context.obj({ Type: 'MCR', Pg: page, MCID: number }),
    )
    return number
  }

  /** Makes an annotation part of an element. */
  own(tag: Tag, annotation: PDFRef, page: PDFRef): void {
    tag.kids.push(this.document.context.obj({ Type: 'OBJR', Obj: annotation, Pg: page }))
    this.objects.push(tag.ref)
  }

  /** Writes the tree into the catalog and what pages and annotations, in the order of `own`, need to be found in it. */
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
