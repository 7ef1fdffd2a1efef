import { PDFBool, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { AddedFile } from './added-file'
import type { PdfDocument } from '../document/document'
import { fieldOf, inheritedValue, namedKids } from '../forms/fields/field-tree'
import { joinResources, renameUsedResources } from './join-resources'
import type { ResourceNames } from '../content/resource-names'
import { freeFieldName, RenamedFields } from './renamed-fields'
import { isSameObject } from '../document/object-equality'
import { fieldsFit, shareField } from '../forms/fields/share-fields'
import type { SharedField } from '../forms/fields/share-fields'
import { readText, writeText } from '../syntax/text-string'
import * as Name from '../syntax/names'

/** Entries that a field inherits from its ancestors (ISO 32000-2, 12.7.4.1 and table 228). */
const INHERITED = ['FT', 'Ff', 'V', 'DV', 'DA', 'Q', 'MaxLen', 'Opt'].map(name => PDFName.of(name))

/** Maximum depth at which fields with the same name are joined. Deeper fields stay below a renamed field. */
const MAX_DEPTH = 64

/**
 * What happens to an added field whose name is in use. `rename` adds a suffix (`name_2`), so that both fields keep
 * their values. `share` adds its widgets to the existing field if both fields are of the same kind.
 */
export type NamePolicy = 'rename' | 'share'

/** The result of joining a form. */
export interface JoinedForm {
  /** Fields of the document that received more widgets. */
  shared: SharedField[]
  renamed: RenamedFields
}

/** Adds the form of a file whose objects are in the document's store. */
export function joinForms(document: PdfDocument, file: AddedFile, policy: NamePolicy): JoinedForm {
  const added = file.form
  if (!added) return unchanged()
  if (added.has(Name.XFA)) document.warnings.add('xfa-dropped')
  const addedFields = document.peekItems(added.get(Name.Fields))
  // Free text annotations use the default resources too.
  if (addedFields.length === 0 && !document.peekDict(added.get(Name.DR))) return unchanged()
  let form = document.editDict(document.rootRef, Name.AcroForm)
  if (!form) {
    form = document.context.obj({ Fields: [] })
    document.editCatalog().set(Name.AcroForm, document.register(form))
  }
  const names = joinResources(document, form, added)
  renameUsedResources(document, file, names)
  if (addedFields.length === 0) return unchanged()
  const joiner = new FormJoiner(document, { form, policy, defaults: defaultsOf(document, { form, added, names }) })
  joiner.add(addedFields)
  const calculation = [form, added].flatMap(one => document.peekItems(one.get(Name.CO)))
  const order = new Set(calculation.map(field => fieldOf(document, joiner.replaced(field))))
  if (order.size) form.set(Name.CO, document.context.obj([...order]))
  if (document.peek(added.get(Name.NeedAppearances)) === PDFBool.True) form.set(Name.NeedAppearances, PDFBool.True)
  const flags =
    (document.peekNumber(form.get(Name.SigFlags)) ?? 0) | (document.peekNumber(added.get(Name.SigFlags)) ?? 0)
  if (flags) form.set(Name.SigFlags, PDFNumber.of(flags))
  return { shared: joiner.shared, renamed: joiner.renamed }
}

function unchanged(): JoinedForm {
  return { shared: [], renamed: new RenamedFields() }
}

interface Defaults {
  form: PDFDict
  added: PDFDict
  /** New names of the added form's resources. */
  names: ResourceNames
}

/** Defaults of the added form (ISO 32000-2, table 224) that differ from the document's form. Added fields need them. */
function defaultsOf(document: PdfDocument, { form, added, names }: Defaults): [PDFName, PDFObject][] {
  const defaults: [PDFName, PDFObject][] = []
  const addedAppearance = document.peek(added.get(Name.DA))
  const appearance = names.renameAppearance(addedAppearance) ?? addedAppearance
  if (appearance && !isSameObject(document, appearance, form.get(Name.DA))) defaults.push([Name.DA, appearance])
  const alignment = document.peekNumber(added.get(Name.Q)) ?? 0
  if (alignment !== (document.peekNumber(form.get(Name.Q)) ?? 0)) defaults.push([Name.Q, PDFNumber.of(alignment)])
  return defaults
}

/** The fields below one field, or the top-level fields of the form. */
interface Siblings {
  list: PDFObject[]
  /** Index in the list by partial name. */
  names: Map<string, number>
}

/** An added field that goes below a field of the document. */
interface PendingField {
  field: PDFObject
  /** Undefined for a top-level field. */
  parent: PDFRef | undefined
  depth: number
  /** The full name of the parent, empty at the top level. */
  path: string
}

class FormJoiner {
  readonly shared: SharedField[] = []
  readonly renamed = new RenamedFields()
  private readonly siblings = new Map<PDFRef | undefined, Siblings>()
  private readonly visited = new Set<number>()
  private readonly replacements = new Map<PDFObject, PDFRef>()

  constructor(
    private readonly document: PdfDocument,
    private readonly forms: { form: PDFDict; policy: NamePolicy; defaults: [PDFName, PDFObject][] },
  ) {}

  add(fields: PDFObject[]): void {
    const stack: PendingField[] = fields.toReversed().map(field => ({ field, parent: undefined, depth: 0, path: '' }))
    for (let next = stack.pop(); next; next = stack.pop()) {
      for (const kid of this.place(next).toReversed()) stack.push(kid)
    }
    const { document, forms } = this
    for (const [parent, { list }] of this.siblings) {
      if (parent) document.edit(parent).set(Name.Kids, document.context.obj(list))
      else forms.form.set(Name.Fields, document.context.obj(list))
    }
  }

  /**
   * The field that replaces this one, if its widgets were added to another field or if it was split from its widget.
   */
  replaced(field: PDFObject): PDFObject {
    return this.replacements.get(field) ?? field
  }

  /**
   * Adds a field below its parent. If a field of the same name exists, may return the child fields to add there
   * instead.
   */
  private place({ field, parent, depth, path }: PendingField): PendingField[] {
    const { document } = this
    const dict = document.peekDict(field)
    if (!(field instanceof PDFRef) || !dict || this.visited.has(field.objectNumber)) return []
    this.visited.add(field.objectNumber)
    const siblings = this.siblingsOf(parent)
    const name = readText(document.peek(dict.get(Name.T)))
    const fullName = path && name ? `${path}.${name}` : path + (name ?? '')
    const place = name === undefined ? undefined : siblings.names.get(name)
    const holder = place === undefined ? undefined : siblings.list[place]
    if (place !== undefined && holder instanceof PDFRef && this.forms.policy === 'share' && depth < MAX_DEPTH) {
      const [existingKids, addedKids] = [namedKids(document, holder), namedKids(document, field)]
      if (existingKids.length && addedKids.length) {
        return addedKids.map(kid => ({ field: kid, parent: holder, depth: depth + 1, path: fullName }))
      }
      if (!existingKids.length && !addedKids.length && fieldsFit(document, holder, field)) {
        siblings.list[place] = this.share(holder, { field, parent })
        return []
      }
    }
    const newName = name !== undefined && place !== undefined ? freeFieldName(name, siblings.names) : undefined
    if (name !== undefined && newName !== undefined) this.renamed.add(fullName, newName.slice(name.length))
    this.move(field, { parent, name: newName })
    if (name !== undefined) siblings.names.set(newName ?? name, siblings.list.length)
    siblings.list.push(field)
    return []
  }

  private share(holder: PDFRef, { field, parent }: { field: PDFRef; parent: PDFRef | undefined }): PDFRef {
    this.keepFormDefaults(field)
    const shared = shareField(this.document, { holder, field, parent })
    this.replacements.set(field, shared.ref)
    if (shared.ref !== holder) this.replacements.set(holder, shared.ref)
    this.shared.push(shared)
    return shared.ref
  }

  /** Moves the field to a new parent. Copies the entries that it inherited from its old ancestors. */
  private move(field: PDFRef, { parent, name }: { parent: PDFRef | undefined; name: string | undefined }): void {
    const { document } = this
    this.keepFormDefaults(field)
    if (name !== undefined) document.edit(field).set(Name.T, writeText(name))
    if (!parent) return
    const inherited = INHERITED.map(key => [key, inheritedValue(document, field, key)] as const)
    const edited = document.edit(field)
    for (const [key, value] of inherited) if (value && !edited.has(key)) edited.set(key, value)
    edited.set(Name.Parent, parent)
  }

  /**
   * Gives an added field the defaults of its own form that it uses, because those of the document's form differ. Call it
   * while the field has its old ancestors, whose values have priority.
   */
  private keepFormDefaults(field: PDFRef): void {
    const { document, forms } = this
    for (const [key, value] of forms.defaults) {
      if (!inheritedValue(document, field, key)) document.edit(field).set(key, value)
    }
  }

  private siblingsOf(parent: PDFRef | undefined): Siblings {
    const cached = this.siblings.get(parent)
    if (cached) return cached
    const { document, forms } = this
    const list =
      document
        .peekArray(parent ? document.peekDict(parent)?.get(Name.Kids) : forms.form.get(Name.Fields))
        ?.asArray()
        .slice() ?? []
    const names = new Map<string, number>()
    for (const [index, field] of list.entries()) {
      const name = readText(document.peek(document.peekDict(field)?.get(Name.T)))
      if (name !== undefined && !names.has(name)) names.set(name, index)
    }
    const siblings = { list, names }
    this.siblings.set(parent, siblings)
    return siblings
  }
}
