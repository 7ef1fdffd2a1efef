import { PDFBool, PDFDict, PDFHexString, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { stringBytes } from './name-tree'

const ACRO_FORM = PDFName.of('AcroForm')
const FIELDS = PDFName.of('Fields')
const KIDS = PDFName.of('Kids')
const PARENT = PDFName.of('Parent')
const T = PDFName.of('T')
const FT = PDFName.of('FT')
const CO = PDFName.of('CO')
const XFA = PDFName.of('XFA')
const DR = PDFName.of('DR')
const NEED_APPEARANCES = PDFName.of('NeedAppearances')
const SIG_FLAGS = PDFName.of('SigFlags')

/** Keys of a field, as opposed to its widget, where both are one dictionary (ISO 32000-2, table 226 and following). */
const FIELD_KEYS = ['FT', 'Parent', 'T', 'TU', 'TM', 'Ff', 'V', 'DV', 'DA', 'Q', 'DS', 'RV', 'Opt', 'MaxLen', 'TI', 'I', 'Lock', 'SV'].map(name => PDFName.of(name))

/** Removes the XFA twin of the form, which would still hold what the pages no longer show; tells whether there was one. */
export function dropXfa(document: PdfDocument): void {
  if (!document.peekDict(document.catalog.get(ACRO_FORM))?.has(XFA)) return
  document.editDict(document.rootRef, ACRO_FORM)?.delete(XFA)
  document.editCatalog().delete(PDFName.of('NeedsRendering'))
  document.warnings.add('xfa-dropped')
}

/** Takes severed widgets out of the field tree, and fields that have no widget left, with their values. */
export function pruneFields(document: PdfDocument): void {
  const form = document.peekDict(document.catalog.get(ACRO_FORM))
  const fields = document.peekArray(form?.get(FIELDS))
  if (!form || !fields) return
  const order: { ref: PDFRef; kids: PDFRef[] }[] = []
  const visited = new Set<number>()
  const stack: PDFObject[] = fields.asArray().slice()
  while (stack.length) {
    const ref = stack.pop()
    if (!(ref instanceof PDFRef) || visited.has(ref.objectNumber)) continue
    visited.add(ref.objectNumber)
    const kids = document.peekArray(document.peekDict(ref)?.get(KIDS))?.asArray().filter(kid => kid instanceof PDFRef) ?? []
    order.push({ ref, kids })
    for (const kid of kids) stack.push(kid)
  }
  // Backwards, so that a field is looked at after all that is below it.
  for (const { ref, kids } of order.reverse()) {
    const alive = kids.filter(kid => !document.store.isSevered(kid.objectNumber))
    if (alive.length === kids.length) continue
    if (alive.length === 0) document.store.delete(ref)
    else document.edit(ref).set(KIDS, document.context.obj(alive))
  }
  const isAlive = (value: PDFObject): boolean => !(value instanceof PDFRef && document.store.isSevered(value.objectNumber))
  const left = fields.asArray().filter(isAlive)
  if (left.length === fields.size()) return
  if (left.length === 0) {
    document.editCatalog().delete(ACRO_FORM)
    return
  }
  const edited = document.editDict(document.rootRef, ACRO_FORM)
  edited?.set(FIELDS, document.context.obj(left))
  const calculation = document.peekArray(form.get(CO))?.asArray()
  if (calculation && !calculation.every(isAlive)) edited?.set(CO, document.context.obj(calculation.filter(isAlive)))
}

/**
 * Makes `copy`, a clone of the widget `original`, a further widget of the same field. A field that is one dictionary with
 * its only widget becomes a field with two. False where that can't be (signatures, widgets of no field): leave it out.
 */
export function addWidgetCopy(document: PdfDocument, original: PDFRef, copy: PDFRef): boolean {
  const widget = document.peekDict(original)
  if (!widget || fieldType(document, widget) === 'Sig') return false
  const isMerged = widget.has(T)
  const parent = widget.get(PARENT)
  if (!isMerged) {
    if (!(parent instanceof PDFRef)) return false
    return addKid(document, parent, copy)
  }
  const field = PDFDict.withContext(document.context)
  const fieldRef = document.register(field)
  const edited = document.edit(original)
  const clone = document.edit(copy)
  for (const key of FIELD_KEYS) {
    const value = edited.get(key)
    if (value !== undefined) field.set(key, value)
    edited.delete(key)
    clone.delete(key)
  }
  field.set(KIDS, document.context.obj([original, copy]))
  edited.set(PARENT, fieldRef)
  clone.set(PARENT, fieldRef)
  return replaceField(document, parent, original, fieldRef)
}

function fieldType(document: PdfDocument, widget: PDFDict): string | undefined {
  let dict: PDFDict | undefined = widget
  for (let depth = 0; dict && depth < 64; depth++) {
    const type = document.peek(dict.get(FT))
    if (type instanceof PDFName) return type.decodeText()
    dict = document.peekDict(dict.get(PARENT))
  }
  return undefined
}

function addKid(document: PdfDocument, parent: PDFRef, kid: PDFRef): boolean {
  const kids = document.peekArray(document.peekDict(parent)?.get(KIDS))
  if (!kids) return false
  document.edit(parent).set(KIDS, document.context.obj([...kids.asArray(), kid]))
  return true
}

function replaceField(document: PdfDocument, parent: PDFObject | undefined, from: PDFRef, to: PDFRef): boolean {
  const key = parent instanceof PDFRef ? KIDS : FIELDS
  const owner = parent instanceof PDFRef ? document.edit(parent) : document.editDict(document.rootRef, ACRO_FORM)
  const list = document.peekArray(owner?.get(key))
  if (!owner || !list) return false
  owner.set(key, document.context.obj(list.asArray().map(item => (item === from ? to : item))))
  return true
}

/**
 * Adds the form of another catalog, whose objects are in this document's store already. A field whose name is taken is
 * renamed (`name_2`), so that both keep their values.
 */
export function joinForms(document: PdfDocument, other: PDFDict): void {
  const added = document.peekDict(other.get(ACRO_FORM))
  const addedFields = document.peekArray(added?.get(FIELDS))
  if (added?.has(XFA)) document.warnings.add('xfa-dropped')
  if (!added || !addedFields || addedFields.size() === 0) return
  let form = document.editDict(document.rootRef, ACRO_FORM)
  if (!form) {
    form = document.context.obj({ Fields: [] })
    document.editCatalog().set(ACRO_FORM, document.register(form))
  }
  const own = document.peekArray(form.get(FIELDS))?.asArray() ?? []
  const names = new Set(own.map(field => stringBytes(document.peek(document.peekDict(field)?.get(T)))))
  const defaults = ['DA', 'Q'].map(name => PDFName.of(name)).filter(key => added.has(key) && form?.get(key)?.toString() !== added.get(key)?.toString())
  for (const field of addedFields.asArray()) {
    if (!(field instanceof PDFRef) || !document.peekDict(field)) continue
    const dict = document.peekDict(field)
    for (const key of defaults) if (!dict?.has(key)) document.edit(field).set(key, added.get(key) as PDFObject)
    const name = stringBytes(document.peek(dict?.get(T)))
    if (name !== undefined && names.has(name)) document.edit(field).set(T, renamed(name, names))
    names.add(stringBytes(document.peek(document.peekDict(field)?.get(T))))
    own.push(field)
  }
  form.set(FIELDS, document.context.obj(own))
  const calculation = [form, added].flatMap(one => document.peekArray(one.get(CO))?.asArray() ?? [])
  if (calculation.length) form.set(CO, document.context.obj(calculation))
  if (document.peek(added.get(NEED_APPEARANCES)) === PDFBool.True) form.set(NEED_APPEARANCES, PDFBool.True)
  const flags = (document.peekNumber(form.get(SIG_FLAGS)) ?? 0) | (document.peekNumber(added.get(SIG_FLAGS)) ?? 0)
  if (flags) form.set(SIG_FLAGS, PDFNumber.of(flags))
  joinResources(document, form, added)
}

/** `name_2`, `name_3`, … whichever is free; keeps the encoding of the name's bytes. */
function renamed(name: string, taken: ReadonlySet<string | undefined>): PDFHexString {
  const isWide = name.startsWith('\u00fe\u00ff')
  for (let count = 2; ; count++) {
    const suffix = `_${count}`
    const candidate = name + (isWide ? [...suffix].map(letter => `\0${letter}`).join('') : suffix)
    if (!taken.has(candidate)) return PDFHexString.of(Buffer.from(candidate, 'latin1').toString('hex').toUpperCase())
  }
}

/** Default resources (fonts of the fields): what the first form does not have is added. */
function joinResources(document: PdfDocument, form: PDFDict, added: PDFDict): void {
  const theirs = document.peekDict(added.get(DR))
  if (!theirs) return
  const ours = document.peekDict(form.get(DR))
  const joined = PDFDict.fromMapWithContext(new Map(ours?.entries() ?? []), document.context)
  for (const [category, value] of theirs.entries()) {
    const dict = document.peekDict(value)
    const present = document.peekDict(joined.get(category))
    if (!joined.has(category)) joined.set(category, value)
    else if (dict && present) joined.set(category, PDFDict.fromMapWithContext(new Map([...dict.entries(), ...present.entries()]), document.context))
  }
  form.set(DR, joined)
}

