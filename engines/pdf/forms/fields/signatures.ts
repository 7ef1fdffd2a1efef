import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import { inheritedValue } from './field-tree'
import { findReachable } from '../../document/reachable'
import { walkDictionaries } from '../../document/walk-dictionaries'
import { dropXfa, readXfaPackets } from './xfa'
import * as Name from '../../syntax/names'

const name = (text: string): PDFName => PDFName.of(text)

/** The namespace of XML signatures in XFA forms (W3C XML Signature, 1.2). */
const XML_SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'

/** The value entries of a signature field: its value, and its default value. */
const VALUES = ['V', 'DV'].map(name)

/** Entries of the catalog that certify the whole file (ISO 32000-2, 12.8.4.3, 12.8.6 and 12.8.7). */
const VOUCHERS = ['Perms', 'DSS', 'Legal'].map(name)

/** The /Type of a signature and of a document time stamp (ISO 32000-2, tables 255 and 259). */
const SIGNATURE_TYPES: readonly (PDFObject | undefined)[] = ['Sig', 'DocTimeStamp'].map(name)

/** Entries that fields and annotations have but signatures don't. */
const FIELD_KEYS = ['Subtype', 'Rect', 'Kids', 'T'].map(name)

/**
 * Removes everything that certifies the whole file: /Perms (DocMDP, UR3, UR), /DSS with its certificates, OCSP
 * responses and CRLs, and /Legal. Returns whether there was any, and adds the warning `signatures-invalidated` if so.
 *
 * No output file keeps any of these entries, whatever changed, because they refer to the bytes of the input file
 * (ISO 32000-2, 12.8.1).
 * - Readers refuse to open or save files with invalid usage rights (UR3, UR). They still forbid changes if a
 *   certification (DocMDP) is broken.
 * - The signature of a removed field must not stay in /Perms, nor its certificates in /DSS, because they name the
 *   signer.
 * - Signature fields that stay keep their values, which readers show as invalid. `dropSignatures` removes these too.
 */
export function dropCertification(document: PdfDocument): boolean {
  const found = VOUCHERS.filter(key => document.catalog.has(key))
  if (found.length === 0) return false
  const catalog = document.editCatalog()
  for (const key of found) catalog.delete(key)
  document.warnings.add('signatures-invalidated')
  return true
}

/**
 * Removes all signatures and document time stamps: signature dictionaries with names, reasons and certificates, and
 * everything that `dropCertification` removes. Signature fields stay as empty fields with their appearance. Returns
 * whether there was any, and adds the warning `signatures-invalidated` if so.
 */
export function dropSignatures(document: PdfDocument): boolean {
  let isFound = dropCertification(document)
  const reached = findReachable(document, [document.rootRef.objectNumber])
  const severed = new Set<number>()
  for (const slot of reached.inOrder()) {
    const ref = reached.refOf(slot)
    const object = document.peek(ref)
    if (!object) continue
    if (object instanceof PDFDict && isSignature(document, object)) severed.add(ref.objectNumber)
    else if (hasSignature(document, object)) {
      isFound = true
      removeSignatures(document, ref)
    }
  }
  document.store.sever(severed)
  const form = document.peekDict(document.catalog.get(Name.AcroForm))
  if (form?.has(Name.SigFlags)) {
    isFound = ((document.peekNumber(form.get(Name.SigFlags)) ?? 0) & 1) === 1 || isFound
    document.editDict(document.rootRef, Name.AcroForm)?.delete(Name.SigFlags)
  }
  isFound ||= severed.size > 0
  if (hasSignedXfa(document)) {
    isFound = true
    dropXfa(document)
  }
  if (isFound) document.warnings.add('signatures-invalidated')
  return isFound
}

/** Returns whether the XFA form has XML signatures. They name signers and contain certificates too. */
function hasSignedXfa(document: PdfDocument): boolean {
  return readXfaPackets(document).some(packet => packet.includes(XML_SIGNATURE))
}

/** Returns whether a dictionary is a signature. Its /Type is optional (ISO 32000-2, table 255). */
function isSignature(document: PdfDocument, dict: PDFDict): boolean {
  if (FIELD_KEYS.some(key => dict.has(key))) return false
  if (SIGNATURE_TYPES.includes(document.peek(dict.get(Name.Type)))) return true
  return dict.has(Name.Contents) && (dict.has(Name.ByteRange) || dict.has(Name.SubFilter))
}

function hasSignature(document: PdfDocument, object: PDFObject): boolean {
  for (const dict of walkDictionaries(object)) if (signedKeys(document, dict).length > 0) return true
  return (
    object instanceof PDFArray && object.asArray().some(item => item instanceof PDFDict && isSignature(document, item))
  )
}

/** Keys whose value is a signature, or the value of a signature field. */
function signedKeys(document: PdfDocument, dict: PDFDict): PDFName[] {
  const isField = VALUES.some(key => dict.has(key)) && inheritedValue(document, dict, Name.FT) === Name.Sig
  return dict.keys().filter(key => {
    if (isField && VALUES.includes(key)) return true
    const value = dict.get(key)
    if (value instanceof PDFRef) {
      const target = document.peek(value)
      return target instanceof PDFDict && isSignature(document, target)
    }
    return value instanceof PDFDict && isSignature(document, value)
  })
}

function removeSignatures(document: PdfDocument, ref: PDFRef): void {
  const object = document.store.get(ref)
  if (!object) return
  for (const dict of walkDictionaries(object)) for (const key of signedKeys(document, dict)) dict.delete(key)
}
