import { EngineError } from '../../errors'
import type { NumeralStyle } from '../../options/numerals'
import { listPages } from '../../options/selectors'
import type { PageSelector } from '../../options/selectors'
import { readNumberFormat } from './number-format'

interface Section {
  pages: PageSelector
  format: string
  style: NumeralStyle
  startNumber: number
}

/** The number of a page. */
export interface NumberedPage {
  pageIndex: number
  number: number
  /** The last number of the page's section, or the number of pages of the document. */
  total: number
  template: string
  style: NumeralStyle
}

interface PlanOptions {
  pages?: PageSelector | undefined
  skipFirst: number
  sections?:
    | readonly {
        pages: PageSelector
        format?: string | undefined
        style?: NumeralStyle | undefined
        startNumber: number
      }[]
    | undefined
  format: string
  style?: NumeralStyle | undefined
  startNumber: number
  total: 'sequence' | 'document'
}

/**
 * Returns the numbers of all selected pages in document order. Numbers count the selected pages, or the pages of each
 * section. Throws EngineError `options_invalid` for pages that don't exist, and for a page in two sections.
 */
export function planNumbers(
  pageCount: number,
  { pages, skipFirst, sections, total, ...defaults }: PlanOptions,
): NumberedPage[] {
  if (!sections) {
    const chosen = listPages(pages, pageCount, 'options.pages')
    return numberSection(
      chosen.slice(skipFirst),
      { ...defaults, pages: 'all' },
      total === 'document' ? pageCount : undefined,
    )
  }
  const sectionOf = new Map<number, number>()
  const planned = sections.flatMap((section, index) => {
    const param = `options.sections[${index}].pages`
    const chosen = listPages(section.pages, pageCount, param)
    for (const page of chosen) {
      const other = sectionOf.get(page)
      if (other !== undefined)
        throw problem(param, `page ${page + 1} is already in sections[${other}]. A page can have only one number.`)
      sectionOf.set(page, index)
    }
    return numberSection(
      chosen,
      { ...section, format: section.format ?? defaults.format, style: section.style ?? defaults.style },
      total === 'document' ? pageCount : undefined,
    )
  })
  return planned.sort((one, other) => one.pageIndex - other.pageIndex)
}

function numberSection(
  pages: number[],
  { format, style, startNumber }: Omit<Section, 'style'> & { style?: NumeralStyle | undefined },
  pageCount: number | undefined,
): NumberedPage[] {
  const { template, style: formatStyle } = readNumberFormat(format)
  const total = pageCount ?? startNumber + pages.length - 1
  return pages.map((pageIndex, index) => ({
    pageIndex,
    number: startNumber + index,
    total,
    template,
    style: formatStyle ?? style ?? 'decimal',
  }))
}

function problem(param: string, message: string): EngineError {
  return new EngineError('options_invalid', `${param}: ${message}`, { param })
}
