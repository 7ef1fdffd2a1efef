import type { MetadataRoute } from 'next'
import { currentOrigin } from './_server/current-origin'

export const dynamic = 'force-dynamic'

/** Search engines may read public pages, the OpenAPI document and the Postman collection. */
export default async function robots(): Promise<MetadataRoute.Robots> {
  return {
    rules: {
      userAgent: '*',
      allow: ['/', '/api/openapi.json', '/api/postman.json'],
      disallow: ['/api/', '/account', '/sign-in'],
    },
    sitemap: `${await currentOrigin()}/sitemap.xml`,
  }
}
