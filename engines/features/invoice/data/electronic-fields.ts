import * as z from 'zod'
import { inForm, onlyIf } from '../../../options/form-hints'
import { blameIn } from '../../../options/checks'

/** The option that makes an invoice electronic. */
export const electronicField = z
  .object({
    format: z
      .enum(['factur-x', 'xrechnung', 'peppol'])
      .describe(
        'Format. `factur-x`: the PDF with its data inside, also known as ZUGFeRD. `xrechnung`: the German format for ' +
          'public buyers. `peppol`: Peppol BIS Billing 3.',
      )
      .meta(inForm({ choices: { 'factur-x': 'Factur-X (ZUGFeRD)', xrechnung: 'XRechnung', peppol: 'Peppol BIS 3' } })),
    profile: z
      .enum(['basic', 'en16931', 'extended'])
      .optional()
      .describe('Profile of Factur-X. Default: `en16931`. Only for `factur-x`.')
      .meta(inForm({ choices: { basic: 'BASIC', en16931: 'EN 16931', extended: 'EXTENDED' } }))
      .meta(onlyIf({ format: ['factur-x'] })),
    syntax: z
      .enum(['cii', 'ubl'])
      .optional()
      .describe('XML syntax of XRechnung. Default: `cii`. Only for `xrechnung`.')
      .meta(inForm({ choices: { cii: 'CII (UN/CEFACT)', ubl: 'UBL (OASIS)' } }))
      .meta(onlyIf({ format: ['xrechnung'] })),
    output: z
      .enum(['pdf', 'xml'])
      .optional()
      .describe(
        'Response. `pdf`: the readable invoice with the XML inside. `xml`: only the XML. Default: `pdf` for ' +
          '`factur-x`, `xml` for the others.',
      )
      .meta(inForm({ choices: { pdf: 'PDF with XML inside', xml: 'XML' } })),
  })
  .superRefine(({ format, profile, syntax }, context) => {
    const blame = blameIn(context)
    if (profile && format !== 'factur-x') blame('profile', 'must be omitted, unless format is factur-x.')
    if (syntax && format !== 'xrechnung') blame('syntax', 'must be omitted, unless format is xrechnung.')
  })
  .describe(
    'Makes an electronic invoice by EN 16931. Sheaf checks the rules of the format first. Each broken rule is an ' +
      'error that names the field.',
  )
  .meta(inForm({ label: 'Electronic invoice' }))
