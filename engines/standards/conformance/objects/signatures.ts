import { PDFDict, PDFHexString, PDFName, PDFRef, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import type { Examination } from '../examination/examination'
import { entryOf, objectOf } from '../examination/model'
import { UNDECIDED, inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { readSignedData } from './cms'
import type { Part } from './part'
import { coveredRange } from './signed-range'
import type { SignedRange } from './signed-range'
import * as Name from '../../../pdf/names'

/** The permissions dictionary of a document, if it has one. */
function permissionsOf(document: PdfDocument): PDFDict | undefined {
  return document.peekDict(document.catalog.get(Name.Perms))
}

/** Rules for the permissions dictionary (ISO 32000-1, 12.8.4). */
const PERMISSION_RULES: readonly Rule<PDFDict>[] = [
  {
    in: inParts23('6.1.12-1'),
    message: 'The permissions dictionary must not have entries other than /UR3 and /DocMDP.',
    check: permissions => {
      const other = permissions.keys().find(key => !['UR3', 'DocMDP'].includes(key.decodeText()))
      return other && other.toString().slice(0, 40)
    },
  },
]

/** A signature reference dictionary. */
interface SignatureReference {
  document: PdfDocument
  reference: PDFDict
}

/** Rules for signature reference dictionaries (ISO 32000-1, 12.8.1). */
const REFERENCE_RULES: readonly Rule<SignatureReference>[] = [
  {
    in: inParts23('6.1.12-2'),
    message: 'With /DocMDP, signature references must not have /DigestLocation, /DigestMethod or /DigestValue.',
    check: ({ document, reference }) => {
      if (!permissionsOf(document)?.has(Name.DocMDP)) return undefined
      const key = ['DigestLocation', 'DigestMethod', 'DigestValue'].find(name => reference.has(PDFName.of(name)))
      return key && `/${key}`
    },
  },
]

/** A signature dictionary. */
interface Signature {
  document: PdfDocument
  dict: PDFDict
  /** The range that the signature must cover. Undefined if it can't be found. */
  range: SignedRange | undefined
  /** Whether the dictionary is in an object stream, so that no byte range can leave out /Contents. */
  isCompressed: boolean
}

/** Rules for signature dictionaries (ISO 32000-1, 12.8.1). */
const SIGNATURE_RULES: readonly Rule<Signature>[] = [
  {
    in: inParts23('6.4.3-1'),
    message: 'The byte range of a signature must cover the whole file except /Contents.',
    check: ({ document, dict, range, isCompressed }) => {
      if (isCompressed) return 'signature in an object stream'
      if (!range) return UNDECIDED
      const stated = document.peekItems(dict.get(Name.ByteRange))
      const [start, before, after, length = -1] = stated.map(item => document.peekNumber(item) ?? -1)
      const isStart = start === 0 && before === range.contentsStart && after === range.contentsEnd
      return isStart && length >= range.leastLength && length <= range.mostLength
        ? undefined
        : `/ByteRange [${stated.map(String).join(' ').slice(0, 60)}]`
    },
  },
]

/** Rules for the CMS object of a signature. */
const CMS_RULES: readonly Rule<Uint8Array>[] = [
  {
    in: inParts23('6.4.3-2'),
    message: 'A signature must contain the certificate of its signer.',
    check: contents => ((readSignedData(contents)?.certificates ?? 0) > 0 ? undefined : 'no certificate'),
  },
  {
    in: inParts23('6.4.3-3'),
    message: 'A signature must have exactly one signer.',
    check: contents => {
      const count = readSignedData(contents)?.signers ?? 0
      return count === 1 ? undefined : `${count} signers`
    },
  },
]

/** Checks the permissions of the document and the signatures of its form fields. */
export class Signatures implements Part {
  constructor(private readonly examination: Examination) {}

  start(): void {
    const { examination } = this
    if (!examination.has(SIGNATURE_RULES)) return
    const permissions = permissionsOf(examination.document)
    if (permissions) examination.apply(PERMISSION_RULES, permissions)
    for (const signature of signaturesOf(examination.document)) this.check(signature)
  }

  leaveUndecided(): void {
    const { examination } = this
    examination.leaveUndecided(PERMISSION_RULES)
    examination.leaveUndecided(SIGNATURE_RULES)
    examination.leaveUndecided(CMS_RULES)
    examination.leaveUndecided(REFERENCE_RULES)
  }

  private check({ dict, value, field }: FoundSignature): void {
    const { examination } = this
    const { document } = examination
    const location = { object: objectOf(value) ?? objectOf(field) ?? '' }
    const owner = value instanceof PDFRef ? value : field
    const isCompressed = owner instanceof PDFRef && document.source.isCompressed(owner.objectNumber)
    const range = isCompressed ? undefined : coveredRange(examination, value, field)
    examination.apply(SIGNATURE_RULES, { document, dict, range, isCompressed }, location)
    const contents = entryOf(document, dict, 'Contents')
    if (contents instanceof PDFHexString || contents instanceof PDFString)
      examination.apply(CMS_RULES, contents.asBytes(), location)
    for (const item of document.peekItems(dict.get(Name.Reference))) {
      const reference = document.peekDict(item)
      if (reference) examination.apply(REFERENCE_RULES, { document, reference }, location)
    }
  }
}

interface FoundSignature {
  dict: PDFDict
  /** The value of /V. */
  value: PDFObject | undefined
  field: PDFObject
}

/** The values of all signature fields. */
function* signaturesOf(document: PdfDocument): Generator<FoundSignature> {
  const form = document.peekDict(document.catalog.get(Name.AcroForm))
  const seen = new Set<PDFObject>()
  const waiting: { field: PDFObject; type: string | undefined }[] = fieldsIn(document, form, 'Fields', undefined)
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { field } = next
    const dict = document.peekDict(field)
    if (!dict || seen.has(dict)) continue
    seen.add(dict)
    const type = document.peekName(dict.get(Name.FT)) ?? next.type
    const value = dict.get(Name.V)
    const signature = type === 'Sig' ? document.peek(value) : undefined
    if (signature instanceof PDFDict) yield { dict: signature, value, field }
    waiting.push(...fieldsIn(document, dict, 'Kids', type))
  }
}

function fieldsIn(
  document: PdfDocument,
  dict: PDFDict | undefined,
  key: string,
  type: string | undefined,
): { field: PDFObject; type: string | undefined }[] {
  const kids = document.peekItems(dict?.get(PDFName.of(key)))
  return kids.filter(kid => kid instanceof PDFRef || kid instanceof PDFDict).map(field => ({ field, type }))
}
