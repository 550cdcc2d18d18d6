import { hostAt } from '../handler.ts'

export const dynamic = 'force-dynamic'

/** The account that calls the engine at a path. */
export async function GET(request: Request): Promise<Response> {
  const path = new URL(request.url).searchParams.get('path') ?? ''
  return Response.json((await hostAt(path)).account)
}
