import type { ToolSection } from '../types'

/** The documentation of the response, besides the options. */
export const EXTRACTION_SECTIONS: readonly ToolSection[] = []
