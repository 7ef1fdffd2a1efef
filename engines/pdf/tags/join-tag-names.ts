import { PDFDict, PDFName } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { joinDictionaries, numberedName } from '../document/join-dictionaries'
import { readNameTree, writeNameTree } from '../document/name-tree'
import { isStandardType } from './structure-types'
import type { TagChanges } from './tag-changes'
import * as Name from '../syntax/names'

/** The structure tree roots of a document and of an added file, and the changes to the elements of each tree. */
export interface JoinedRoots {
  own: PDFDict
  added: PDFDict
  ownChanges: TagChanges
  addedChanges: TagChanges
}

type Roles = Map<PDFName, PDFName>

/**
 * Joins the role maps (ISO 32000-2, 14.7.3). If a type has different meanings in the two trees, it gets another name in
 * the added tree. If only the document redefines a standard type, the type gets another name in the document's tree.
 */
export function joinRoles(document: PdfDocument, { own, added, ownChanges, addedChanges }: JoinedRoots): void {
  const [ownRoles, addedRoles] = [own, added].map(root => rolesOf(document, root)) as [Roles, Roles]
  if (ownRoles.size + addedRoles.size === 0) return
  const isTaken = (name: PDFName): boolean => ownRoles.has(name) || addedRoles.has(name) || isStandardType(name)
  const freeName = (name: PDFName, isFree: (candidate: PDFName) => boolean): PDFName => {
    let count = 2
    while (!isFree(numberedName(name, count))) count++
    return numberedName(name, count)
  }
  const ownNames = new Map<PDFName, PDFName>()
  for (const [type] of ownRoles) {
    if (!isStandardType(type) || addedRoles.has(type) || meaningOf(ownRoles, type) === type) continue
    ownNames.set(
      type,
      freeName(type, candidate => !isTaken(candidate)),
    )
  }
  const renamedOwn = renameRoles(ownRoles, ownNames)
  const addedNames = new Map<PDFName, PDFName>()
  for (const [type] of addedRoles) {
    const meaning = meaningOf(addedRoles, type)
    const existingMeaning = renamedOwn.has(type) ? meaningOf(renamedOwn, type) : isStandardType(type) ? type : meaning
    if (existingMeaning === meaning) continue
    const isSame = (name: PDFName): boolean => renamedOwn.has(name) && meaningOf(renamedOwn, name) === meaning
    const isFree = (name: PDFName): boolean => !addedRoles.has(name) && (isSame(name) || !isTaken(name))
    addedNames.set(type, freeName(type, isFree))
  }
  const joined = new Map([...renameRoles(addedRoles, addedNames), ...renamedOwn])
  own.set(Name.RoleMap, PDFDict.fromMapWithContext(joined, document.context))
  ownChanges.types = ownNames
  addedChanges.types = addedNames
}

function rolesOf(document: PdfDocument, root: PDFDict): Roles {
  const roles: Roles = new Map()
  for (const [type, value] of document.peekDict(root.get(Name.RoleMap))?.entries() ?? []) {
    const role = document.peek(value)
    if (role instanceof PDFName) roles.set(type, role)
  }
  return roles
}

function renameRoles(roles: Roles, names: ReadonlyMap<PDFName, PDFName>): Roles {
  const renamed = (name: PDFName): PDFName => names.get(name) ?? name
  return new Map([...roles].map(([type, role]): [PDFName, PDFName] => [renamed(type), renamed(role)]))
}

/** Maximum length of a chain of roles. Some files have cycles. */
const MAX_CHAIN = 64

/** The structure type at the end of a chain of roles. */
function meaningOf(roles: Roles, type: PDFName): PDFName {
  let meaning = type
  for (let hops = 0; hops < MAX_CHAIN; hops++) {
    const next = roles.get(meaning)
    if (!next || next === meaning) break
    meaning = next
  }
  return meaning
}

/** Joins the class maps (ISO 32000-2, 14.7.6.2). Classes that differ get another name in the added tree. */
export function joinClasses(document: PdfDocument, { own, added, addedChanges }: JoinedRoots): void {
  const addedClasses = document.peekDict(added.get(Name.ClassMap))
  if (!addedClasses) return
  const { joined, renamed } = joinDictionaries(document, document.peekDict(own.get(Name.ClassMap)), addedClasses)
  own.set(Name.ClassMap, joined)
  addedChanges.classes = renamed
}

/** Joins the indexes of element identifiers (ISO 32000-2, table 354). Identifiers in use get a number. */
export function joinIds(document: PdfDocument, { own, added, addedChanges }: JoinedRoots): void {
  const addedEntries = readNameTree(document, added.get(Name.IDTree))
  if (addedEntries.length === 0) return
  const ownEntries = readNameTree(document, own.get(Name.IDTree))
  const ownKeys = new Set(ownEntries.map(({ key }) => key))
  const usedKeys = new Set([...ownKeys, ...addedEntries.map(({ key }) => key)])
  const ids = new Map<string, string>()
  for (const { key } of addedEntries) {
    if (!ownKeys.has(key) || ids.has(key)) continue
    let count = 2
    while (usedKeys.has(numberedId(key, count))) count++
    ids.set(key, numberedId(key, count))
    usedKeys.add(numberedId(key, count))
  }
  const moved = addedEntries.map(({ key, value }) => ({ key: ids.get(key) ?? key, value }))
  own.set(Name.IDTree, writeNameTree(document, [...ownEntries, ...moved]))
  addedChanges.ids = ids
}

/** Appends a number to an identifier, such as `id_2`. Identifiers are bytes as Latin-1, and UTF-16 stays UTF-16. */
function numberedId(id: string, count: number): string {
  const suffix = `_${count}`
  return id + (id.startsWith('\u00fe\u00ff') ? [...suffix].map(letter => `\0${letter}`).join('') : suffix)
}
