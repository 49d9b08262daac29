import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = process.env['API_ORIGIN'] ?? 'http://localhost:4000'
const root = import.meta.dirname

export default defineConfig({
  root,
  plugins: [react(), tailwind(), sonnerWithoutStyleTag(), homeAtSlash(), compressed()],
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/api', '/identity', '/uploads', '/media'].map((path) => [path, server])),
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: { input: { panel: join(root, 'index.html'), home: join(root, 'home.html') } },
  },
})

/** sonner appends a style element while it loads, which our content policy forbids; its sheet is in styles.css. */
function sonnerWithoutStyleTag(): Plugin {
  return {
    name: 'sonner-without-style-tag',
    transform: {
      filter: { id: /sonner\/dist\/index\.mjs/ },
      handler: (code) => code.replace("if (!code || typeof document == 'undefined') return", 'return'),
    },
  }
}

/** In development `/` is the public page, as in production; every other page is the app. */
function homeAtSlash(): Plugin {
  return {
    name: 'home-at-slash',
    configureServer: (dev) => {
      dev.middlewares.use((request, _response, next) => {
        if (request.url === '/' || request.url?.startsWith('/?')) request.url = '/home.html'
        next()
      })
    },
  }
}

/** Writes `.br` and `.gz` beside every text file, so that the server never compresses. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: async ({ dir }, bundle) => {
      const files = Object.keys(bundle).filter((name) => /\.(js|css|html|svg|json|webmanifest)$/.test(name))
      await Promise.all(
        files.map(async (name) => {
          const file = join(dir ?? join(root, 'dist'), name)
          const content = await readFile(file)
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
          await writeFile(`${file}.br`, await promisify(brotliCompress)(content, quality))
          await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
        }),
      )
    },
  }
}
