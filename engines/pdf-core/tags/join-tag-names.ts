import { PDFDict, PDFName } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { joinDictionaries, numberedName } from '../document/join-dictionaries'
import { readNameTree, writeNameTree } from '../document/name-tree'
import { isStandardType } from './structure-types'
import type { TagChanges } from './tag-changes'
import * as Name from '../syntax/names'

/** The structure tree roots of a document and of an added file, and what changes in the elements of each. */
export interface JoinedRoots {
  own: PDFDict
  added: PDFDict
  ownChanges: TagChanges
  addedChanges: TagChanges
}

type Roles = Map<PDFName, PDFName>

/**
 * Joins the role maps (ISO 32000-2, 14.7.3). A type that means different things in the two gets another name in the
 * added tree; a standard type that only ours gives another meaning gets another name in ours.
 */
export function joinRoles(document: PdfDocument, { own, added, ownChanges, addedChanges }: JoinedRoots): void {
  const [ours, theirs] = [own, added].map(root => rolesOf(document, root)) as [Roles, Roles]
  if (ours.size + theirs.size === 0) return
  const isTaken = (name: PDFName): boolean => ours.has(name) || theirs.has(name) || isStandardType(name)
  const freeName = (name: PDFName, isFree: (candidate: PDFName) => boolean): PDFName => {
    let count = 2
    while (!isFree(numberedName(name, count))) count++
    return numberedName(name, count)
  }
  const ownNames = new Map<PDFName, PDFName>()
  for (const [type] of ours) {
    if (!isStandardType(type) || theirs.has(type) || meaningOf(ours, type) === type) continue
    ownNames.set(
      type,
      freeName(type, candidate => !isTaken(candidate)),
    )
  }
  const renamedOurs = renameRoles(ours, ownNames)
  const addedNames = new Map<PDFName, PDFName>()
  for (const [type] of theirs) {
    const meaning = meaningOf(theirs, type)
    const known = renamedOurs.has(type) ? meaningOf(renamedOurs, type) : isStandardType(type) ? type : meaning
    if (known === meaning) continue
    const isSame = (name: PDFName): boolean => renamedOurs.has(name) && meaningOf(renamedOurs, name) === meaning
    const isFree = (name: PDFName): boolean => !theirs.has(name) && (isSame(name) || !isTaken(name))
    addedNames.set(type, freeName(type, isFree))
  }
  const joined = new Map([...renameRoles(theirs, addedNames), ...renamedOurs])
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

/** Roles that follow one another and are looked at; some files have them in a circle. */
const MAX_CHAIN = 64

/** The type at the end of a chain of roles. */
function meaningOf(roles: Roles, type: PDFName): PDFName {
  let meaning = type
  for (let hops = 0; hops < MAX_CHAIN; hops++) {
    const next = roles.get(meaning)
    if (!next || next === meaning) break
    meaning = next
  }
  return meaning
}

/** Joins the class maps (ISO 32000-2, 14.7.6.2); classes that differ get another name in the added tree. */
export function joinClasses(document: PdfDocument, { own, added, addedChanges }: JoinedRoots): void {
  const theirs = document.peekDict(added.get(Name.ClassMap))
  if (!theirs) return
  const { joined, renamed } = joinDictionaries(document, document.peekDict(own.get(Name.ClassMap)), theirs)
  own.set(Name.ClassMap, joined)
  addedChanges.classes = renamed
}

/** Joins the indexes of element identifiers (ISO 32000-2, table 354); those that are taken get a number. */
export function joinIds(document: PdfDocument, { own, added, addedChanges }: JoinedRoots): void {
  const theirs = readNameTree(document, added.get(Name.IDTree))
  if (theirs.length === 0) return
  const ours = readNameTree(document, own.get(Name.IDTree))
  const known = new Set(ours.map(({ key }) => key))
  const taken = new Set([...known, ...theirs.map(({ key }) => key)])
  const ids = new Map<string, string>()
  for (const { key } of theirs) {
    if (!known.has(key) || ids.has(key)) continue
    let count = 2
    while (taken.has(numberedId(key, count))) count++
    ids.set(key, numberedId(key, count))
    taken.add(numberedId(key, count))
  }
  const moved = theirs.map(({ key, value }) => ({ key: ids.get(key) ?? key, value }))
  own.set(Name.IDTree, writeNameTree(document, [...ours, ...moved]))
  addedChanges.ids = ids
}

/** `id_2`, in UTF-16 if the identifier is: its bytes as Latin-1. */
function numberedId(id: string, count: number): string {
  const suffix = `_${count}`
  return id + (id.startsWith('\u00fe\u00ff') ? [...suffix].map(letter => `\0${letter}`).join('') : suffix)
}
