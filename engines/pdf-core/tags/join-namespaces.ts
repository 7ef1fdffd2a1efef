import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { numberedName } from '../document/join-dictionaries'
import type { JoinedRoots } from './join-tag-names'
import type { TagChanges } from './tag-changes'
import { readText } from '../syntax/text-string'
import * as Name from '../syntax/names'

/**
 * Joins the namespaces of two structure trees (ISO 32000-2, 14.7.4): those of one name become one. A type that the two
 * give different roles gets another name in the added tree. Types of the default namespace must be joined before.
 */
export function joinNamespaces(document: PdfDocument, { own, added, addedChanges }: JoinedRoots): void {
  const theirs = document.peekArray(added.get(Name.Namespaces))?.asArray() ?? []
  if (theirs.length === 0) return
  const list = document.peekArray(own.get(Name.Namespaces))?.asArray().slice() ?? []
  const known = new Map(list.map(space => [nameOf(document, space), space]))
  const pairs: [PDFRef, PDFRef][] = []
  for (const space of new Set(theirs)) {
    const name = nameOf(document, space)
    const same = name === undefined ? undefined : known.get(name)
    if (same instanceof PDFRef && space instanceof PDFRef) pairs.push([same, space])
    else if (same === undefined) {
      known.set(name, space)
      list.push(space)
    }
  }
  for (const [ours, space] of pairs) {
    addedChanges.spaces.set(space, ours)
    const types = findClashes(document, rolesOf(document, ours), rolesOf(document, space))
    if (types.size) addedChanges.spaceTypes.set(space, types)
  }
  for (const space of theirs) if (space instanceof PDFRef) moveRoles(document, space, addedChanges)
  own.set(Name.Namespaces, document.context.obj(list))
}

function nameOf(document: PdfDocument, space: PDFObject): string | undefined {
  return readText(document.peek(document.peekDict(space)?.get(Name.NS)))
}

function rolesOf(document: PdfDocument, space: PDFRef): PDFDict | undefined {
  return document.peekDict(document.peekDict(space)?.get(Name.RoleMapNS))
}

/** New names of types that have other roles in the namespace of the same name. */
function findClashes(document: PdfDocument, ours?: PDFDict, theirs?: PDFDict): Map<PDFName, PDFName> {
  const types = new Map<PDFName, PDFName>()
  for (const [type, role] of theirs?.entries() ?? []) {
    const known = ours?.get(type)
    if (!known || describeRole(document, known) === describeRole(document, role)) continue
    let count = 2
    while (ours?.has(numberedName(type, count)) || theirs?.has(numberedName(type, count))) count++
    types.set(type, numberedName(type, count))
  }
  return types
}

/** A type of the default namespace, or an array of a type and its namespace. */
function describeRole(document: PdfDocument, role: PDFObject): string {
  const parts = document.peekArray(role)?.asArray() ?? [role]
  const [type, space] = parts
  return `${document.peek(type)?.toString()} ${(space && nameOf(document, space)) ?? ''}`
}

/** Puts the roles of an added namespace into ours of the same name, or gives it those that follow the changes. */
function moveRoles(document: PdfDocument, space: PDFRef, changes: TagChanges): void {
  const ours = changes.spaces.get(space)
  const roles = rolesOf(document, space)
  const schema = document.peekDict(space)?.get(Name.Schema)
  if (ours && schema && !document.peekDict(ours)?.has(Name.Schema)) document.edit(ours).set(Name.Schema, schema)
  if (!roles) return
  const moved = roles.entries().map(([type, role]): [PDFName, PDFObject] => {
    return [changes.spaceTypes.get(space)?.get(type) ?? type, moveRole(document, role, changes)]
  })
  const present = ours ? (rolesOf(document, ours)?.entries() ?? []) : []
  const joined = PDFDict.fromMapWithContext(new Map([...moved, ...present]), document.context)
  document.edit(ours ?? space).set(Name.RoleMapNS, joined)
}

function moveRole(document: PdfDocument, role: PDFObject, { types, spaces, spaceTypes }: TagChanges): PDFObject {
  const value = document.peek(role)
  if (value instanceof PDFName) return types.get(value) ?? value
  if (!(value instanceof PDFArray)) return role
  const [given, space] = value.asArray()
  const type = document.peek(given)
  if (!space || !(type instanceof PDFName)) return role
  return document.context.obj([spaceTypes.get(space)?.get(type) ?? type, spaces.get(space) ?? space])
}
