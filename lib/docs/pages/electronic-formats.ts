import { FULL_BODY, SMALLEST_FACTUR_X, SMALLEST_PEPPOL, SMALLEST_XRECHNUNG } from '../electronic-bodies'
import type { InvoiceBody } from '../electronic-bodies'
import { heading, list, prose, type Block, type DocsPage } from './page'
import { EN16931_RULES_TABLE, PEPPOL_RULES_TABLE, XRECHNUNG_RULES_TABLE } from './electronic-rules'

const EXAMPLE_PATH = '/api/external/invoice-generator/pdf'

function body(value: InvoiceBody, what: string): Block {
  return { kind: 'code', language: 'json', text: JSON.stringify(value, null, 2), what }
}

function examples(smallest: InvoiceBody, full: InvoiceBody): Block[] {
  return [
    heading('Smallest body'),
    prose(`Send it to \`POST ${EXAMPLE_PATH}\`. Change the names, numbers and dates to yours.`),
    body(smallest, 'the smallest body'),
    heading('Full body'),
    prose('All parameters are on the page of the [invoice endpoint](/docs/invoice-generator).'),
    body(full, 'a body with many fields'),
  ]
}

const forFormat = (eInvoice: InvoiceBody['eInvoice']): InvoiceBody => ({ ...FULL_BODY, eInvoice })

/** Returns the page that compares the formats. */
export function describeElectronic(): DocsPage {
  return {
    slug: 'e-invoices',
    title: 'Electronic invoices',
    lead: 'One request returns an invoice that people can read and software can process, by the European standard EN 16931.',
    blocks: [
      heading('Choose a format'),
      {
        kind: 'table',
        columns: ['If the buyer is', 'Send', 'You get'],
        rows: [
          {
            cells: [
              'A company in Germany or France that reads PDFs',
              '[`"format": "factur-x"`](/docs/factur-x)',
              'A PDF with the data inside',
            ],
          },
          { cells: ['A public body in Germany', '[`"format": "xrechnung"`](/docs/xrechnung)', 'XML'] },
          { cells: ['A company in Belgium, or anyone on Peppol', '[`"format": "peppol"`](/docs/peppol)', 'XML'] },
        ],
      },
      prose(
        'Add `eInvoice` to the body of the [invoice endpoint](/docs/invoice-generator). A request costs 1 credit, as ' +
          'without `eInvoice`.',
      ),
      heading('Sheaf checks the rules first'),
      list(
        'Sheaf checks the business rules of EN 16931 and of the format before it charges you.',
        'If the invoice breaks rules, the API returns 400 `invalid_invoice_payload` with every broken rule.',
        'Each entry of `problems` has `param`, `message` and `rule`, such as `BR-DE-15`. One problem alone is in the ' +
          'body itself.',
        'The page shows the amounts, dates, names and numbers of the XML. `electronicAddress` is only in the XML. Some ' +
          'parameters are [only on the page](/docs/e-invoice-fields#only-on-the-page).',
      ),
      heading('What changes in the request'),
      list(
        'Send `address` with its parts instead of `addressLines`.',
        'Send `vatId` or `taxNumber` instead of `taxId`.',
        'Send prices without tax. `pricesIncludeTax` is not possible.',
        'Send one VAT rate for each item, and other taxes as `charges`. `taxes` is not possible.',
        'EN 16931 has no withholding tax. Describe it in `paymentTerms`. `withholding` is not possible.',
        'Send `taxCategory` for items without tax: `Z`, `E`, `AE`, `K`, `G` or `O`.',
        'Units such as `h`, `pcs` or `kg` get their code. For other units, send `unitCode`.',
      ),
      prose('[Fields of EN 16931](/docs/e-invoice-fields) lists the parameter for each business term (BT).'),
      heading('Rules of EN 16931'),
      prose('The most common rules, and what they mean for your JSON:'),
      EN16931_RULES_TABLE,
      heading('Read an invoice'),
      prose(
        '[read-invoice](/docs/read-invoice) returns the JSON of an electronic invoice. It lists broken rules, and ' +
          'differences between the XML and the pages.',
      ),
      heading('What Sheaf does not do'),
      list(
        'Sheaf does not send invoices. You send the file by email, through a portal, or through a Peppol access point.',
        'Sheaf does not check that VAT numbers, accounts or addresses exist.',
        'Sheaf does not give tax advice. The dates on these pages are summaries. Their sources are linked.',
      ),
    ],
  }
}

/** Returns the page about Factur-X. */
export function describeFacturX(): DocsPage {
  return {
    slug: 'factur-x',
    title: 'Factur-X and ZUGFeRD',
    lead: 'Factur-X is a PDF/A-3 invoice with its data inside as XML. ZUGFeRD is the German name of the same format.',
    blocks: [
      heading('Who needs it'),
      list(
        'Germany: companies must be able to receive electronic invoices since January 2025. Companies with more than ' +
          '€800,000 of turnover must issue them from January 2027, all others from January 2028. Source: [§ 27 (38) ' +
          'UStG](https://www.gesetze-im-internet.de/ustg_1980/__27.html).',
        'France: since September 2026, all companies must be able to receive electronic invoices. Large and mid-sized ' +
          'companies must issue them. Small companies follow in September 2027. Source: ' +
          '[impots.gouv.fr](https://www.impots.gouv.fr/facturation-electronique).',
        'In France, send `electronicAddress` of both parties (BT-34 and BT-49). See [electronic addresses in ' +
          'France](/docs/e-invoice-fields#electronic-addresses-in-france).',
        'The format comes from [FNFE-MPE](https://fnfe-mpe.org/factur-x/) and [FeRD](https://www.ferd-net.de/).',
      ),
      heading('Profiles'),
      {
        kind: 'table',
        columns: ['`profile`', 'Content'],
        rows: [
          {
            cells: [
              '`basic`',
              'Fewer fields in the XML. It leaves out contacts, attachments, some references, and details of items and ' +
                'accounts. The page shows them.',
            ],
          },
          { cells: ['`en16931`', 'All fields of the European standard. The default.'] },
          { cells: ['`extended`', 'The same fields, marked as EXTENDED.'] },
        ],
      },
      prose(
        'The PDF conforms to PDF/A-3b, and by default to PDF/UA-1. The file inside is `factur-x.xml`, with the ' +
          'relationship `Alternative`.',
      ),
      ...examples(SMALLEST_FACTUR_X, forFormat({ format: 'factur-x', profile: 'en16931' })),
    ],
  }
}

/** Returns the page about XRechnung. */
export function describeXRechnung(): DocsPage {
  return {
    slug: 'xrechnung',
    title: 'XRechnung',
    lead: 'XRechnung is the German format for invoices to public bodies. Sheaf writes version 3.0.',
    blocks: [
      heading('Who needs it'),
      list(
        'Suppliers of German federal authorities since November 2020. Most states have the same duty. Source: ' +
          '[E-Rechnungsverordnung](https://www.gesetze-im-internet.de/erechv/).',
        'It also fulfills the German duty between companies, which starts in January 2027. See ' +
          '[Factur-X](/docs/factur-x#who-needs-it).',
        'The format comes from [KoSIT](https://xeinkauf.de/xrechnung/).',
      ),
      heading('Syntax and output'),
      list(
        '`"syntax": "cii"` is the default. `"syntax": "ubl"` writes UBL.',
        '`"output": "pdf"` returns the readable invoice with the XML inside.',
      ),
      heading('Rules of XRechnung'),
      XRECHNUNG_RULES_TABLE,
      ...examples(SMALLEST_XRECHNUNG, forFormat({ format: 'xrechnung' })),
    ],
  }
}

/** Returns the page about Peppol. */
export function describePeppol(): DocsPage {
  return {
    slug: 'peppol',
    title: 'Peppol BIS Billing 3',
    lead: 'Peppol is a network for electronic invoices. Peppol BIS Billing 3 is its format, written in UBL.',
    blocks: [
      heading('Who needs it'),
      list(
        'Belgium: companies must send each other structured invoices since January 2026, by default through Peppol. ' +
          'Source: [einvoice.belgium.be](https://einvoice.belgium.be/en).',
        'Public bodies in many countries of the EU, and in Norway, accept it.',
        'The format comes from [OpenPeppol](https://docs.peppol.eu/poacc/billing/3.0/).',
      ),
      heading('Send the invoice'),
      prose(
        'Sheaf writes the XML. To send it through Peppol, hand it to an access point. The addresses in ' +
          '`electronicAddress` tell the network who sends and who receives.',
      ),
      heading('Rules of Peppol'),
      PEPPOL_RULES_TABLE,
      ...examples(SMALLEST_PEPPOL, forFormat({ format: 'peppol' })),
    ],
  }
}
