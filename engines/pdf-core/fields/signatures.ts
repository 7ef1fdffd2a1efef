import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { inheritedValue } from './field-tree'
import { findReachable } from '../document/reachable'
import { walkDictionaries } from '../document/walk-dictionaries'
import { dropXfa, readXfaPackets } from './xfa'

const name = (text: string): PDFName => PDFName.of(text)

const ACRO_FORM = name('AcroForm')
const SIG_FLAGS = name('SigFlags')
const TYPE = name('Type')
const FT = name('FT')
const SIG = name('Sig')
const SUB_FILTER = name('SubFilter')
const CONTENTS = name('Contents')
const BYTE_RANGE = name('ByteRange')

/** The namespace of XML signatures, as XFA forms hold them (W3C XML Signature, 1.2). */
const XML_SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'

/** Values that a signature field may have: its own, and what a reset gives it. */
const VALUES = ['V', 'DV'].map(name)

/** Entries of the catalog that vouch for the whole file (ISO 32000-2, 12.8.4.3, 12.8.6 and 12.8.7). */
const VOUCHERS = ['Perms', 'DSS', 'Legal'].map(name)

/** The /Type of a signature and of a document time stamp (ISO 32000-2, tables 255 and 259). */
const SIGNATURE_TYPES: readonly (PDFObject | undefined)[] = ['Sig', 'DocTimeStamp'].map(name)

/** What fields and annotations have and signatures don't. */
const FIELD_KEYS = ['Subtype', 'Rect', 'Kids', 'T'].map(name)

/**
 * Removes what certifies the whole file: /Perms (DocMDP, UR3, UR), /DSS with its certificates, OCSP responses and CRLs,
 * and /Legal. Returns whether there was any, and adds the warning `signatures-invalidated` then.
 *
 * The rule: no file that is written keeps any of it, whatever was changed, since all of it speaks of the bytes of the
 * file that was sent (ISO 32000-2, 12.8.1).
 * - Readers refuse to open or to save files whose usage rights (UR3, UR) don't hold, and go on forbidding changes where
 * a certification (DocMDP) is broken.
 * - A signature whose field was removed must not stay behind /Perms, nor its certificates in /DSS: they name the
 * signer.
 * - Signature fields that stay keep their values, which readers show as invalid; `dropSignatures` removes these too.
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
 * what `dropCertification` removes. Signature fields stay as empty fields with their appearance. Returns whether there
 * was any, and adds the warning `signatures-invalidated` then.
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
  const form = document.peekDict(document.catalog.get(ACRO_FORM))
  if (form?.has(SIG_FLAGS)) {
    isFound = ((document.peekNumber(form.get(SIG_FLAGS)) ?? 0) & 1) === 1 || isFound
    document.editDict(document.rootRef, ACRO_FORM)?.delete(SIG_FLAGS)
  }
  isFound ||= severed.size > 0
  if (hasSignedXfa(document)) {
    isFound = true
    dropXfa(document)
  }
  if (isFound) document.warnings.add('signatures-invalidated')
  return isFound
}

/** Whether the XFA form holds XML signatures, which name signers and hold certificates too. */
function hasSignedXfa(document: PdfDocument): boolean {
  return readXfaPackets(document).some(packet => packet.includes(XML_SIGNATURE))
}

/** A signature dictionary need not state its type (ISO 32000-2, table 255). */
function isSignature(document: PdfDocument, dict: PDFDict): boolean {
  if (FIELD_KEYS.some(key => dict.has(key))) return false
  if (SIGNATURE_TYPES.includes(document.peek(dict.get(TYPE)))) return true
  return dict.has(CONTENTS) && (dict.has(BYTE_RANGE) || dict.has(SUB_FILTER))
}

function hasSignature(document: PdfDocument, object: PDFObject): boolean {
  for (const dict of walkDictionaries(object)) if (signedKeys(document, dict).length > 0) return true
  return (
    object instanceof PDFArray && object.asArray().some(item => item instanceof PDFDict && isSignature(document, item))
  )
}

/** Entries that hold a signature, or that are the value of a signature field. */
function signedKeys(document: PdfDocument, dict: PDFDict): PDFName[] {
  const isField = VALUES.some(key => dict.has(key)) && inheritedValue(document, dict, FT) === SIG
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
