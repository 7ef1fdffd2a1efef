import { PDFBool, PDFDict, PDFName } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { resolvePage } from '../../options/selectors'
import * as Name from '../syntax/names'

/** Page modes by option value (ISO 32000-2, table 29). */
export const PAGE_MODES = {
  none: 'UseNone',
  bookmarks: 'UseOutlines',
  thumbnails: 'UseThumbs',
  fullscreen: 'FullScreen',
  layers: 'UseOC',
  attachments: 'UseAttachments',
} as const

/** Page layouts by option value. */
export const PAGE_LAYOUTS = {
  'single-page': 'SinglePage',
  'one-column': 'OneColumn',
  'two-columns-left': 'TwoColumnLeft',
  'two-columns-right': 'TwoColumnRight',
  'two-pages-left': 'TwoPageLeft',
  'two-pages-right': 'TwoPageRight',
} as const

interface ViewerSettings {
  displayTitle?: boolean | undefined
  pageMode?: keyof typeof PAGE_MODES | undefined
  pageLayout?: keyof typeof PAGE_LAYOUTS | undefined
  /** Page number, from 1. */
  openPage?: number | undefined
  direction?: 'ltr' | 'rtl' | undefined
}

/**
 * Sets how viewers show the document after opening. Omitted settings don't change. Throws EngineError `options_invalid` if
 * there is no such page. `param` is the name of the settings in the message.
 */
export function setViewerPreferences(
  document: PdfDocument,
  { displayTitle, pageMode, pageLayout, openPage, direction }: ViewerSettings,
  param: string,
): void {
  const catalog = document.editCatalog()
  if (pageMode) catalog.set(Name.PageMode, PDFName.of(PAGE_MODES[pageMode]))
  if (pageLayout) catalog.set(Name.PageLayout, PDFName.of(PAGE_LAYOUTS[pageLayout]))
  if (openPage !== undefined) {
    const page = document.pages[resolvePage(openPage, document.pageCount, `${param}.openPage`)]
    if (page) catalog.set(Name.OpenAction, document.context.obj([page.ref, 'XYZ', null, null, null]))
  }
  if (displayTitle === undefined && direction === undefined) return
  let preferences = document.editDict(document.rootRef, Name.ViewerPreferences)
  if (!preferences) {
    preferences = PDFDict.withContext(document.context)
    catalog.set(Name.ViewerPreferences, preferences)
  }
  if (displayTitle === false) document.saving.addedFeatures.add('lost-title')
  if (displayTitle !== undefined) preferences.set(Name.DisplayDocTitle, displayTitle ? PDFBool.True : PDFBool.False)
  if (direction) preferences.set(Name.Direction, PDFName.of(direction === 'rtl' ? 'R2L' : 'L2R'))
}
