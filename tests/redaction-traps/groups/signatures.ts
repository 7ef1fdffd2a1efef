import type { PdfWriter } from '../../fixtures/pdf-writer'
import type { Parts } from '../../fixtures/traps'
import { addForm, UNDER } from '../../fixtures/traps'
import { BY_AREA, fromDrafts, wide } from '../draft'
import type { Draft } from '../draft'
import type { TrapGroup } from '../trap'

const RECT = `[${UNDER.x} ${UNDER.y} ${UNDER.x + UNDER.width} ${UNDER.y + UNDER.height}]`
const hex = (text: string): string => `<${Buffer.from(text, 'latin1').toString('hex')}>`

/** A signed file: the entries of the signature and of the catalog. */
interface SignedPlan {
  secret: string
  entries: string
  catalog?: (pdf: PdfWriter, signature: number) => string
  field?: string
}

function makeSigned({ secret, entries, catalog, field = '' }: SignedPlan): Parts {
  let signature = 0
  let widget = 0
  return {
    resources: (pdf, font) => {
      signature = pdf.add(
        '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 1 2 ' +
          `3]/Contents<3003020101>${entries}>>`,
      )
      const look = addForm(pdf, font, `BT /F 9 Tf 2 5 Td (Signed by ${secret}) Tj ET`)
      widget = pdf.add(
        `<</Type/Annot/Subtype/Widget/FT/Sig/T(sig)/Rect${RECT}/V ${signature} 0 R/AP<</N ${look} 0 R>>${field}>>`,
      )
      return ''
    },
    page: () => `/Annots[${widget} 0 R]`,
    catalog: pdf => `/AcroForm<</Fields[${widget} 0 R]/SigFlags 3>>${catalog?.(pdf, signature) ?? ''}`,
  }
}

/** The same file searched, and with an area over the signature's field. */
const bothWays = (make: (secret: string) => Parts): ((secret: string) => Draft)[] => [
  secret => ({ parts: make(secret) }),
  secret => ({ ...BY_AREA, parts: make(secret) }),
]

const texts = (secret: string): string =>
  `/Name(${secret})/Reason${wide(secret)}/Location(${secret})/ContactInfo(${secret})`

export const SIGNATURES: TrapGroup = {
  name: 'Signed and certified files',
  cause: 'Signatures, certificates and usage rights that the catalog keeps although the signature is invalid.',
  constructions: [
    fromDrafts(
      'a signature with names and reasons',
      bothWays(secret => makeSigned({ secret, entries: texts(secret) })),
    ),
    fromDrafts(
      'a certificate in a signature',
      bothWays(secret => makeSigned({ secret, entries: `/Cert${hex(`\x30\x20${secret}`)}` })),
    ),
    fromDrafts(
      'a certified document: DocMDP',
      bothWays(secret =>
        makeSigned({
          secret,
          entries:
            `${texts(secret)}/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P ` +
            '2/V/1.2>>>>]',
          catalog: (_, signature) => `/Perms<</DocMDP ${signature} 0 R>>`,
        }),
      ),
    ),
    fromDrafts(
      'usage rights: UR3',
      bothWays(secret =>
        makeSigned({
          secret,
          entries: '',
          catalog: pdf =>
            '/Perms<</UR3 ' +
            `${pdf.add(`<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 1 2 3]/Contents${hex(`\x30\x20${secret}`)}/Name(${secret})/Reference[<</Type/SigRef/TransformMethod/UR3/TransformParams<</Type/TransformParams/Msg(${secret})/V/2.2>>>>]>>`)} ` +
            '0 R>>',
        }),
      ),
    ),
    fromDrafts(
      'a security store: DSS',
      bothWays(secret =>
        makeSigned({
          secret,
          entries: '',
          catalog: pdf => {
            const data = pdf.addStream('', `\x30\x20${secret}`)
            return (
              `/DSS<</Type/DSS/Certs[${data} 0 R]/CRLs[${data} 0 R]/OCSPs[${data} 0 ` +
              `R]/VRI<</0123456789ABCDEF0123456789ABCDEF01234567<</Type/VRI/Cert[${data} 0 R]/TU(D:2026)>>>>>>`
            )
          },
        }),
      ),
    ),
    fromDrafts(
      'the software that signed: Prop_Build',
      bothWays(secret =>
        makeSigned({
          secret,
          entries: `/Prop_Build<</Filter<</Name/${secret}/R 1>>/App<</Name/${secret}/OS[/${secret}]/REx(${secret})>>>>`,
        }),
      ),
    ),
    fromDrafts(
      'a seed value and a lock',
      bothWays(secret =>
        makeSigned({
          secret,
          entries: '',
          field: `/Lock<</Type/SigFieldLock/Action/Include/Fields[(${secret})]>>/SV<</Type/SV/Reasons[(${secret})]/LegalAttestation[(${secret})]/Cert<</Type/SVCert/SubjectDN[<</CN(${secret})>>]/URL(https://example.com/${secret})>>/TimeStamp<</URL(https://example.com/${secret})>>>>`,
        }),
      ),
    ),
    fromDrafts(
      'a legal attestation',
      bothWays(secret =>
        makeSigned({ secret, entries: '', catalog: () => `/Legal<</JavaScriptActions 1/Attestation(${secret})>>` }),
      ).slice(0, 1),
    ),
  ],
}
