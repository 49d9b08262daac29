import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { contractAddresses } from './build/contract-addresses.ts'
import { fontsPreloaded } from './build/fonts-preloaded.ts'
import { formsOutOfAddresses } from './build/forms-out-of-addresses.ts'
import { laterFilesNamed, laterScripts } from './build/later-files.ts'
import { pagesAtTheirAddresses } from './build/pages-at-their-addresses.ts'
import { publicPages, renderedWhenServed } from './build/public-pages.ts'
import { reactAriaInOurLanguages } from './build/react-aria-languages.ts'
import { recorderFiles } from './build/recorder-files.ts'
import { sonnerWithoutStyleElement } from './build/sonner-style.ts'
import { weighed } from './build/weighed.ts'

const service = process.env['API_ORIGIN'] ?? 'http://localhost:4000'
const root = import.meta.dirname

export default defineConfig({
  root,
  plugins: [
    react(),
    tailwind(),
    sonnerWithoutStyleElement(),
    reactAriaInOurLanguages(),
    contractAddresses(),
    publicPages(root, service),
    renderedWhenServed(root),
    laterFilesNamed(),
    fontsPreloaded(),
    recorderFiles(),
    formsOutOfAddresses(),
    pagesAtTheirAddresses(),
    compressed(),
    weighed(),
  ],
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/identity', '/uploads', '/media', '/dev/sign-in'].map((path) => [path, service]),
    ),
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [
        ...['index', 'home', 'login', 'terms', 'privacy', 'whats-new', 'contact', 'status', 'not-found', 'error'].map(
          (page) => `${page}.html`,
        ),
        ...laterScripts,
      ].map((file) => join(root, file)),
      // What a first page needs travels in few pieces instead of seventy, which packs a tenth smaller: what the public
      // pages’ account menu shares with the panel (no library but React: visitors wait for it), what every address of the
      // app shares, and the rest. No script that does something by being there may lie in one of them.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'account',
              test: /\/web\/app\/(send\.ts|site\/(account-menu|plan-cards|shell)\.tsx|site\/use-products\.ts)$|\/react-dom\/index\.js$/,
              priority: 3,
            },
            { name: 'app', test: /\/web\/app\/(app|ui\/button|ui\/toasts)\.tsx$/, priority: 2 },
            { name: 'panel', test: /\/web\/app\/panel\/(shell|projects\/projects-page)\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
})
