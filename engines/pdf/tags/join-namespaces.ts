import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { numberedName } from '../document/join-dictionaries'
import type { JoinedRoots } from './join-tag-names'
import type { TagChanges } from './tag-changes'
import { readText } from '../syntax/text-string'
import * as Name from '../syntax/names'

/**
 * Joins the namespaces of two structure trees (ISO 32000-2, 14.7.4). Namespaces of the same name become one. If both
 * give a structure type different roles, it gets another name in the added tree. Join the types of the default
 * namespace first.
 */
export function joinNamespaces(document: PdfDocument, { own, added, addedChanges }: JoinedRoots): void {
  const addedSpaces = document.peekItems(added.get(Name.Namespaces))
  if (addedSpaces.length === 0) return
  const list = document.peekArray(own.get(Name.Namespaces))?.asArray().slice() ?? []
  const spaceByName = new Map(list.map(space => [nameOf(document, space), space]))
  const pairs: [PDFRef, PDFRef][] = []
  for (const space of new Set(addedSpaces)) {
    const name = nameOf(document, space)
    const existing = name === undefined ? undefined : spaceByName.get(name)
    if (existing instanceof PDFRef && space instanceof PDFRef) pairs.push([existing, space])
    else if (existing === undefined) {
      spaceByName.set(name, space)
      list.push(space)
    }
  }
  for (const [existing, space] of pairs) {
    addedChanges.spaces.set(space, existing)
    const types = findClashes(document, rolesOf(document, existing), rolesOf(document, space))
    if (types.size) addedChanges.spaceTypes.set(space, types)
  }
  for (const space of addedSpaces) if (space instanceof PDFRef) moveRoles(document, space, addedChanges)
  own.set(Name.Namespaces, document.context.obj(list))
}

function nameOf(document: PdfDocument, space: PDFObject): string | undefined {
  return readText(document.peek(document.peekDict(space)?.get(Name.NS)))
}

function rolesOf(document: PdfDocument, space: PDFRef): PDFDict | undefined {
  return document.peekDict(document.peekDict(space)?.get(Name.RoleMapNS))
}

/** New names of structure types that have other roles in the existing namespace of the same name. */
function findClashes(document: PdfDocument, existingRoles?: PDFDict, addedRoles?: PDFDict): Map<PDFName, PDFName> {
  const types = new Map<PDFName, PDFName>()
  for (const [type, role] of addedRoles?.entries() ?? []) {
    const existing = existingRoles?.get(type)
    if (!existing || describeRole(document, existing) === describeRole(document, role)) continue
    let count = 2
    while (existingRoles?.has(numberedName(type, count)) || addedRoles?.has(numberedName(type, count))) count++
    types.set(type, numberedName(type, count))
  }
  return types
}

/**
 * Describes a role for comparison. A role is a type of the default namespace, or an array of a type and a namespace.
 */
function describeRole(document: PdfDocument, role: PDFObject): string {
  const parts = document.peekArray(role)?.asArray() ?? [role]
  const [type, space] = parts
  return `${document.peek(type)?.toString()} ${(space && nameOf(document, space)) ?? ''}`
}

/** Moves the roles of an added namespace into the existing namespace of the same name, and applies the changes. */
function moveRoles(document: PdfDocument, space: PDFRef, changes: TagChanges): void {
  const existing = changes.spaces.get(space)
  const roles = rolesOf(document, space)
  const schema = document.peekDict(space)?.get(Name.Schema)
  if (existing && schema && !document.peekDict(existing)?.has(Name.Schema))
    document.edit(existing).set(Name.Schema, schema)
  if (!roles) return
  const moved = roles.entries().map(([type, role]): [PDFName, PDFObject] => {
    return [changes.spaceTypes.get(space)?.get(type) ?? type, moveRole(document, role, changes)]
  })
  const existingEntries = existing ? (rolesOf(document, existing)?.entries() ?? []) : []
  const joined = PDFDict.fromMapWithContext(new Map([...moved, ...existingEntries]), document.context)
  document.edit(existing ?? space).set(Name.RoleMapNS, joined)
}

function moveRole(document: PdfDocument, role: PDFObject, { types, spaces, spaceTypes }: TagChanges): PDFObject {
  const value = document.peek(role)
  if (value instanceof PDFName) return types.get(value) ?? value
  if (!(value instanceof PDFArray)) return role
  const [typeValue, space] = value.asArray()
  const type = document.peek(typeValue)
  if (!space || !(type instanceof PDFName)) return role
  return document.context.obj([spaceTypes.get(space)?.get(type) ?? type, spaces.get(space) ?? space])
}
