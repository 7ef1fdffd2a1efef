import { PDFHexString, PDFName, PDFRef, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { AddedFile } from './added-file'
import type { Holder } from '../document/structure-elements'
import { replaceNames } from '../structure/destinations'
import type { PdfDocument } from '../document/document'
import { readNameTree } from '../document/name-tree'
import type { NamedEntry } from '../document/name-tree'
import type { RenamedFields } from './renamed-fields'
import { findGlobals, findNames } from './script-names'
import type { ScriptNames } from './script-names'
import { editActionScript, readActionScript } from './script-source'
import { readText, writeText } from '../syntax/text-string'
import * as Name from '../syntax/names'

/** Actions that refer to fields by name (ISO 32000-2, 12.6.4.11 and 12.7.6), and the keys with these names. */
const FIELD_ACTIONS = ['ResetForm', 'SubmitForm', 'ImportData', 'Hide'].map(name => PDFName.of(name))
const FIELD_LISTS = ['Fields', 'T'].map(name => PDFName.of(name))

/** Renamed fields of a file, and the actions that may name them. */
interface FieldRenaming {
  fields: RenamedFields
  /** All actions of the file. */
  actions: Iterable<Holder>
}

/**
 * Joins the JavaScript of several files (ISO 32000-2, 12.6.4.17). All scripts of a document share their functions and
 * variables. So if a later file declares a name that is in use, the name gets a suffix.
 */
export class ScriptJoiner {
  private readonly entries: NamedEntry[]
  private readonly ownCount: number
  private readonly keys: Set<string>
  /** Keys and texts of all scripts. Undefined until first use. */
  private knownScripts: Set<string> | undefined
  private readonly globals = new Set<string>()

  constructor(private readonly document: PdfDocument) {
    this.entries = readScripts(document, document.catalog)
    this.ownCount = this.entries.length
    this.keys = new Set(this.entries.map(({ key }) => key))
  }

  /** Adds the scripts of a file and applies the new names in all its actions. Skips scripts that the document has. */
  add(file: AddedFile, { fields, actions }: FieldRenaming): void {
    const { document } = this
    const newScripts = readScripts(document, file.catalog).filter(entry => !this.has(entry, fields))
    const globals = this.findClashes(newScripts)
    if (!fields.isEmpty || globals.size > 0) renameInActions(document, actions, { fields, globals })
    if (!fields.isEmpty) renameInLocks(document, file, fields)
    for (const entry of newScripts) {
      const { key, value } = entry
      let free = key
      for (let count = 2; this.keys.has(free); count++) free = `${key}_${count}`
      this.keys.add(free)
      this.entries.push({ key: free, value })
      this.learn(entry)
    }
  }

  /** Writes the scripts of all files into the document. Readers run them in the order of their names. */
  write(): void {
    if (this.entries.length > this.ownCount) replaceNames(this.document, Name.JavaScript, this.entries)
  }

  private has({ key, value }: NamedEntry, fields: RenamedFields): boolean {
    if (!this.knownScripts) {
      this.knownScripts = new Set()
      for (const entry of this.entries) this.learn(entry)
    }
    const text = readActionScript(this.document, this.document.peekDict(value))
    if (text === undefined) return false
    let renamed = ''
    let copiedUntil = 0
    for (const { at, text: suffix } of findNames(text, { fields, globals: new Map() })) {
      renamed += text.slice(copiedUntil, at) + suffix
      copiedUntil = at
    }
    return this.knownScripts.has(identify(key, renamed + text.slice(copiedUntil)))
  }

  private learn({ key, value }: NamedEntry): void {
    const text = readActionScript(this.document, this.document.peekDict(value))
    if (text === undefined) return
    this.knownScripts?.add(identify(key, text))
    for (const name of findGlobals(text)) this.globals.add(name)
  }

  /** Suffixes for functions and variables that earlier files declare too. */
  private findClashes(added: NamedEntry[]): Map<string, string> {
    const { document, globals } = this
    const declared = new Set<string>()
    for (const { value } of added) {
      for (const name of findGlobals(readActionScript(document, document.peekDict(value)) ?? '')) declared.add(name)
    }
    const suffixes = new Map<string, string>()
    for (const name of declared) {
      if (!globals.has(name)) continue
      let count = 2
      while (globals.has(`${name}_${count}`) || declared.has(`${name}_${count}`)) count++
      suffixes.set(name, `_${count}`)
    }
    return suffixes
  }
}

function identify(key: string, text: string): string {
  return `${key}\0${text}`
}

function readScripts(document: PdfDocument, catalog: PDFDict): NamedEntry[] {
  return readNameTree(document, document.peekDict(document.peekDict(catalog.get(Name.Names))?.get(Name.JavaScript)))
}

function renameInActions(document: PdfDocument, actions: Iterable<Holder>, names: ScriptNames): void {
  const done = new Set<PDFObject>()
  for (const action of actions) {
    const text = readActionScript(document, action.dict)
    if (text !== undefined) editActionScript(document, action, { suffixes: findNames(text, names), done })
    const type = document.peek(action.dict.get(Name.S))
    if (type instanceof PDFName && FIELD_ACTIONS.includes(type)) renameLists(document, action, names.fields)
  }
}

/** Renames fields in /Lock of signature fields, which locks other fields upon signing (ISO 32000-2, table 236). */
function renameInLocks(document: PdfDocument, file: AddedFile, fields: RenamedFields): void {
  const done = new Set<PDFDict>()
  for (const { dict, edit } of file.fieldsAndAnnotations()) {
    const value = dict.get(Name.Lock)
    const lock = document.peekDict(value)
    if (!lock || done.has(lock)) continue
    done.add(lock)
    const editLock = (): PDFDict => (value instanceof PDFRef ? document.edit(value) : (edit(), lock))
    renameLists(document, { dict: lock, edit: editLock }, fields)
  }
}

/** Renames fields in a text string or in an array of text strings. References don't change. */
function renameLists(document: PdfDocument, { dict, edit }: Holder, fields: RenamedFields): void {
  for (const key of FIELD_LISTS) {
    const value = document.peek(dict.get(key))
    const renamed = (item: PDFObject): PDFObject | undefined => {
      const name = fields.rename(readText(document.peek(item)) ?? '')
      return name === undefined ? undefined : writeText(name)
    }
    if (value instanceof PDFString || value instanceof PDFHexString) {
      const name = renamed(value)
      if (name) edit().set(key, name)
    }
    const list = document.peekArray(value)?.asArray()
    if (list?.some(renamed)) edit().set(key, document.context.obj(list.map(item => renamed(item) ?? item)))
  }
}
