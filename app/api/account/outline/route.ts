import { respondWithOutline } from '../../../../lib/playground/outline'

export const dynamic = 'force-dynamic'

export function POST(request: Request): Promise<Response> {
  return respondWithOutline(request)
}
