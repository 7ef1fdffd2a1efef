import { SearchButton } from '../search/search-button'
import { type FrameProps, PlainFrame } from './plain-frame'

/** Header with search, content and footer of a page of the site. */
export function SiteFrame(properties: FrameProps) {
  return <PlainFrame {...properties} search={<SearchButton />} />
}
