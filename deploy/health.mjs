// The health check of the image: exits with 0 if the service is ready. The image has no curl.
const port = process.env.QUIRE_PORT ?? 3000
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4000) })
  process.exitCode = ok ? 0 : 1
} catch {
  process.exitCode = 1
}
