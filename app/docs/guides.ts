/** Pages that are about all calls, in the order of the list. */
export const GUIDES = [
  { slug: '', title: 'Overview' },
  { slug: 'selectors', title: 'Page selectors' },
  { slug: 'errors', title: 'Errors' },
  { slug: 'warnings', title: 'Warnings' },
  { slug: 'limits', title: 'Limits' },
] as const
