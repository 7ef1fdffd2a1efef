// oxlint-disable vitest/no-standalone-expect -- a test runs each of these judges
import { expect } from 'vitest'
import { withPdfjs } from '../../../support/pdfjs-document'
import { readPdfjsClaims } from '../../../support/pdfjs-claims'
import { readZip } from '../../../support/read-zip'
import {
  added,
  all,
  annotations,
  information,
  json,
  type Judge,
  locked,
  newInk,
  pageCount,
  pagesWith,
  pdf,
  removed,
  rotations,
  smaller,
  text,
  zip,
} from './output'

const REPORT = ['Prepared by', 'Barley came', 'Wheat suffered', 'Oats were', 'Seed for']
const pick = (...numbers: number[]) => numbers.map(number => REPORT[number - 1] ?? '')
const LETTER = 'letter.pdf, page 1'
const [TERMS_1, TERMS_2] = ['terms.pdf, page 1', 'terms.pdf, page 2']
const PASSWORD = 'correct horse battery staple'

const sizes = (check: (sizes: [width: number, height: number][]) => void): Judge =>
  pdf(({ pages }) => {
    check(pages.map(({ width, height }) => [Math.round(width), Math.round(height)]))
  })

const titles = (...expected: string[]): Judge =>
  pdf(({ outline }) => {
    expect(outline.map(({ title }) => title)).toEqual(expected)
  })

const conformsTo = (claim: string, attachments: number): Judge =>
  all(
    async ({ bytes }) => {
      expect((await readPdfjsClaims(bytes)).claims).toEqual([claim])
    },
    pdf(seen => {
      expect(seen.attachments.length).toBe(attachments)
    }),
  )

const images =
  (signature: string, count: number): Judge =>
  ({ bytes }) => {
    const entries = readZip(bytes)
    expect(entries.length).toBe(count)
    for (const entry of entries) expect(entry.bytes.toString('latin1', 0, 16)).toContain(signature)
  }

const filled = (fields: Record<string, string>): Judge =>
  pdf(({ pages }) => {
    const values = pages.flatMap(page => page.fields).map(({ name, value }) => [name, value])
    expect(Object.fromEntries(values)).toMatchObject(fields)
  })

/** Judges of the output of every sample, by the slug of its endpoint and its title. */
export const JUDGES: Readonly<Record<string, Readonly<Record<string, Judge>>>> = {
  'merge-pdf': {
    'Merge files in the order of the request': pagesWith(LETTER, TERMS_1, TERMS_2),
    'Merge the first page of one file with another file, one bookmark per file': all(
      pagesWith(LETTER, TERMS_1, TERMS_2),
      titles('letter', 'terms'),
    ),
    'Interleave scanned front and back sides': pagesWith(LETTER, TERMS_2, TERMS_1),
    'Sort by file name, scale to A4 and set a title': all(
      pagesWith(LETTER, TERMS_1, TERMS_2),
      information({ Title: 'Application', Author: 'Ada Lovelace' }),
      sizes(all => {
        expect(all).toEqual(all.map(() => [595, 842]))
      }),
    ),
    'Merge and flatten forms': all(pageCount(3), annotations()),
    'Add blank pages for double-sided printing': pagesWith(LETTER, '', TERMS_1, TERMS_2),
  },
  'split-pdf': {
    'Two parts': zip(['report-1.pdf', 2], ['report-2.pdf', 3]),
    'Split off the first page': zip(['report-1.pdf', 1], ['report-2.pdf', 4]),
    'Split into parts of two pages': zip(
      ['report-pages-1-2.pdf', 2],
      ['report-pages-3-4.pdf', 2],
      ['report-pages-5.pdf', 1],
    ),
    'Parts of up to 5,000,000 bytes, with a manifest': zip(['report-1.pdf', 5], ['manifest.json']),
  },
  'rotate-pdf': {
    'Rotate pages 1 and 3 clockwise': rotations(90, 0, 90, 0, 0),
    'Rotate every even page by 180 degrees': rotations(0, 180, 0, 180, 0),
    'Rotate two sets of pages differently': rotations(90, 0, 270, 270, 270),
    'Rotate, and apply the rotation to the content': all(
      rotations(0, 0, 0, 0, 0),
      sizes(all => {
        expect(all).toEqual(all.map(() => [842, 595]))
      }),
    ),
    'Rotate only portrait pages': rotations(270, 270, 270, 270, 270),
  },
  'extract-pages': {
    'Extract pages 1 and 4': pagesWith(...pick(1, 4)),
    'Extract the last page': pagesWith(...pick(5)),
    'Return a PDF for each of the first three pages': zip(
      ['report-1.pdf', 1],
      ['report-2.pdf', 1],
      ['report-3.pdf', 1],
    ),
    'Extract the first four pages without blank pages and bookmarks': all(pagesWith(...pick(1, 2, 3, 4)), titles()),
  },
  'add-blank-page': {
    'Add a blank A4 page at the end': pagesWith(...REPORT, ''),
    'Add a page of matching size before page 3': pagesWith(...pick(1, 2), '', ...pick(3, 4, 5)),
    'Make the number of pages even': pagesWith(...REPORT, ''),
  },
  'crop-pdf': {
    'Crop every page to a box': sizes(all => {
      expect(all).toEqual(all.map(() => [500, 700]))
    }),
    'Remove 10 mm from all sides of the first page': sizes(all => {
      expect(all.slice(0, 2)).toEqual([
        [539, 785],
        [595, 842],
      ])
    }),
    'Remove white margins, equally on all pages': sizes(all => {
      for (const [width, height] of all) expect(width * height).toBeLessThan(595 * 842 * 0.9)
    }),
    'Keep the upper half': all(
      sizes(all => {
        expect(all).toEqual(all.map(() => [595, 421]))
      }),
      pagesWith(...REPORT),
    ),
    'Delete the content within 60 points of the edges': removed(/page \d of 5/, ...REPORT),
  },
  'delete-pages': {
    'Delete the second page': pagesWith(...pick(1, 3, 4, 5)),
    'Delete the last two pages': pagesWith(...pick(1, 2, 3)),
    'Delete a page and keep its bookmarks': all(
      pagesWith(...pick(2, 3, 4, 5)),
      titles('Harvest report', 'Barley', 'Wheat', 'Oats', 'Outlook'),
    ),
    'Delete the even pages, and all blank ones': pagesWith(...pick(1, 3, 5)),
  },
  'organize-pdf': {
    'Reverse all pages': pagesWith(...REPORT.toReversed()),
    'Move the last page to the start': pagesWith(...pick(5, 1, 2, 3, 4)),
    'Move the third page to the start': pagesWith(...pick(3, 1, 2, 4, 5)),
    'Arrange pages for a folded booklet': pagesWith('', ...pick(1, 2), '', '', ...pick(3, 4, 5)),
    'Interleave scanned front and back sides': pagesWith(...pick(1, 5, 2, 4, 3)),
  },
  'reverse-pages': {
    'Reverse the whole document': pagesWith(...REPORT.toReversed()),
    'Reverse sheets of two pages': pagesWith(...pick(5, 3, 4, 1, 2)),
    'Reverse a block of pages': pagesWith(...pick(1, 4, 3, 2, 5)),
  },
  'pdf-redaction': {
    'One area': removed(/Prepared by Jane Doe/, 'for the board of Reed & Barley.', 'Questions go to'),
    'Red boxes with text': all(removed(/jane\.doe@example\.com/, 'Prepared by Jane Doe'), added('REDACTED')),
    'The top of every page, in millimeters': removed(/Outlook/, 'page 5 of 5', 'Barley came', 'Seed for'),
    'A name and all email addresses': removed(/Jane Doe|@example\.com/, 'Prepared by', 'Orders:'),
    'A name in text, scans and images': removed(/Jane Doe/, 'Prepared by', 'orders@example.com'),
    'File numbers by pattern, on the first two pages': removed(/AB-120[45]/, 'AB-1206', 'AB-1207'),
  },
  'protect-pdf': {
    'A password to open the file': locked(PASSWORD),
    'Open without a password, and ask readers to prevent copying and changes': async ({ bytes }) => {
      const [pages, allowed] = await withPdfjs(bytes, async document => [
        document.numPages,
        await document.getPermissions(),
      ])
      expect(pages).toBe(5)
      // Only 4 (print) and 512 and 2048 (accessibility and print in high quality) remain.
      expect(allowed).not.toBeNull()
      for (const forbidden of [8, 16, 32, 256, 1024]) expect(allowed).not.toContain(forbidden)
    },
  },
  'unlock-pdf': { 'Remove a password': pagesWith(LETTER) },
  'remove-annotations': {
    'Remove everything except form fields': annotations('Widget'),
    'Remove comments, keep links': annotations('Link', 'Widget'),
    'Remove links to one site': annotations('Square', 'Widget'),
  },
  'remove-metadata': {
    'Remove all metadata': information({ Title: undefined, Author: undefined, Subject: undefined }),
    'Keep the title, also remove scripts and comments': all(
      information({ Title: 'Offer, draft', Author: undefined, Subject: undefined }),
      annotations('Link', 'Widget'),
      pdf(({ scripts }) => {
        expect(scripts).toEqual([])
      }),
    ),
  },
  'add-watermark': {
    'CONFIDENTIAL along the diagonal': added('CONFIDENTIAL'),
    'An image in the corner': newInk(0, { left: 0.5, top: 0, right: 1, bottom: 0.5 }),
    'Tiles under the page content and a line at the bottom': added('DRAFT', 'report, 1 of 5', 'report, 5 of 5'),
  },
  'page-numbers': {
    'Page 1 of 5, at the bottom': added('Page 1 of 5', 'Page 5 of 5'),
    'Roman numerals for the front matter': pdf(({ pages }) => {
      expect(pages.map(({ label }) => label)).toEqual(['i', 'ii', '1', '2', '3'])
    }),
    'Bates numbers': added('ACME-0001201', 'ACME-0001205'),
  },
  'header-footer': {
    'Header and footer by position': added('Annual report', 'Page 1 of 5', 'Page 5 of 5'),
    'One header text and one footer text': added('Confidential', '1/5', '5/5'),
    'A book with mirrored headers and none on the first page': async ({ bytes, inputs }) => {
      const count = async (file: Buffer) =>
        await withPdfjs(file, async one =>
          Promise.all([1, 2].map(async page => (await (await one.getPage(page)).getTextContent()).items.length)),
        )
      const [[first, second], [firstBefore, secondBefore]] = [await count(bytes), await count(inputs[0] ?? bytes)]
      expect(first).toBe(firstBefore)
      expect(second).toBeGreaterThan(secondBefore ?? 0)
    },
  },
  'form-filler': {
    'Fill a form': filled({ fullName: 'Żaneta Nowak', country: 'Poland' }),
    'Fill and flatten': all(annotations(), added('山田太郎')),
    'List the fields with their names and options': text('fullName', 'country', 'agree'),
    'Create one letter per customer': zip(['1-Ada Lovelace.pdf', 1], ['2-Мария Кюри.pdf', 1]),
  },
  'flatten-pdf': {
    'Flatten fields and annotations': all(annotations('Link'), added('Morning Loaf')),
    'Flatten the form only, as printed': all(annotations('Link', 'Square'), added('Morning Loaf')),
    'Flatten layers and delete hidden content': removed(/Internal: the margin/, 'Offer'),
    'Turn every page into an image with searchable text': all(
      ({ bytes }) => {
        expect(bytes.length).toBeGreaterThan(60_000)
      },
      pagesWith('Offer', 'Annex', 'Terms'),
    ),
  },
  'pdf-ocr': {
    'Make a scan searchable': added('Delivery note 2041'),
    'Extract text with its columns': text('Delivery', 'Received in good order'),
    'Extract the words of the first page with their positions': all(
      json({ pages: [{ page: 1 }] }),
      text('"Delivery"', '"box"'),
    ),
  },
  'compare-pdfs': {
    'Show the changes side by side': added('19.40'),
    'List the changes as JSON': text('18.90', '19.40', 'Storage'),
    'Add comments to the second file': async ({ bytes }) => {
      const kinds = await withPdfjs(bytes, async document =>
        (await (await document.getPage(1)).getAnnotations()).map(({ subtype }) => String(subtype)),
      )
      expect(kinds.length).toBeGreaterThan(2)
    },
    'Show changed pages only, and ignore headers and footers': added('19.40'),
    'Compare the text of the first page only': text('18.90', '19.40'),
  },
  'edit-metadata': {
    'Set title, author, subject and keywords': information({
      Title: 'Annual report',
      Author: 'Ada Lovelace',
      Subject: 'Results',
      Keywords: 'report, results',
    }),
    'Remove the author, set language and dates': information({ Author: undefined, Language: 'en-GB' }),
    'Label a preface i, ii and the other pages from 1': pdf(({ pages }) => {
      expect(pages.map(({ label }) => label)).toEqual(['i', 'ii', '1', '2', '3'])
    }),
  },
  'extract-text': {
    'Extract plain text': text(...REPORT, 'AB-1204'),
    'Write Markdown without headers and footers': all(text('# Harvest report', 'Barley came'), ({ bytes }) => {
      expect(bytes.toString('utf8')).not.toContain('page 1 of 5')
    }),
    'Get the words of the first page with their boxes': all(json({ pages: [{}] }), text('Prepared')),
  },
  'compress-pdf': {
    'Compress for printing': smaller,
    'Compress without loss': smaller,
    'Fit an attachment limit of 5 MB': ({ bytes }) => {
      expect(bytes.length).toBeLessThanOrEqual(5_000_000)
    },
  },
  'images-to-pdf': {
    'One page per image, in the size of the image': sizes(all => {
      expect(all).toEqual([
        [625, 875],
        [480, 320],
      ])
    }),
    'On A4 pages with margins': sizes(all => {
      expect(all.map(size => size.toSorted((a, b) => a - b))).toEqual([
        [595, 842],
        [595, 842],
      ])
    }),
    'A searchable PDF of scans': async ({ bytes }) => {
      const content = await withPdfjs(bytes, async one => (await (await one.getPage(1)).getTextContent()).items)
      expect(JSON.stringify(content)).toMatch(/MORNING|LOAF|TOTAL/)
    },
  },
  'pdf-to-images': {
    'One PNG per page': images('PNG', 5),
    'The first page as a JPEG of 800 pixels width': ({ bytes }) => {
      expect(bytes.toString('hex', 0, 3)).toBe('ffd8ff')
      expect(bytes.includes(Buffer.from([800 >> 8, 800 & 255]))).toBe(true)
    },
    'A contact sheet with three columns': ({ bytes }) => {
      expect(bytes.toString('latin1', 1, 4)).toBe('PNG')
      expect(bytes.readUInt32BE(16)).toBeGreaterThan(bytes.readUInt32BE(20) * 0.8)
    },
    'Gray WebP images that fit into a square': images('WEBP', 5),
  },
  'validate-pdf': {
    'Check PDF/A-2b': text('pdfa-2b'),
    'Check PDF/UA-1': text('pdfua-1'),
  },
  'convert-to-pdfa': {
    'Convert to PDF/A-2b, without attached files': conformsTo('pdfa 2B', 0),
    'Convert to PDF/A-3b, which keeps attached files of any type': conformsTo('pdfa 3B', 1),
  },
  'read-invoice': { 'Read an invoice': text('RE-2026-0107', 'Aurora Werkstatt GmbH') },
  'invoice-generator': {
    'Two items with tax': text('%PDF'),
    'In German, with two tax rates, a discount and a payment QR code': pagesWith('RE-2026-0042'),
    'Electronic: Factur-X (ZUGFeRD)': pdf(({ attachments }) => {
      expect(attachments.map(({ name }) => name)).toEqual(['factur-x.xml'])
    }),
    'Electronic: XRechnung': text('X-2026-1', 'urn:xeinkauf.de:kosit:xrechnung_3.0'),
    'For India, with two taxes for each item': pagesWith('IN/26-27/88'),
    'In Spanish, with withholding tax': pagesWith('2026-A-0056'),
    'In Arabic, right to left, in a currency with three decimals': pagesWith('315.329'),
  },
}
