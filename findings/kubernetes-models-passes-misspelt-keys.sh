#!/usr/bin/env bash
# kubernetes-models validates a manifest whose probe doesn't exist.
#
# Expected: validate() of a model refuses a key that Kubernetes doesn't have, such as `readinesProbe`.
# Seen: kubernetes-models 5.1.0 passes over unknown keys at any depth, and keeps them in the manifest. It does refuse a
#   missing key and a value of the wrong type.
# Why it matters here: a kit to deploy whose readiness probe is misspelt takes traffic before it is ready, and every test
#   passes. Manifests must also be given to the type checker as literals, which finds such keys.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" kubernetes-models@5.1.0
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { Deployment } from 'kubernetes-models/apps/v1'
console.log('kubernetes-models 5.1.0')
const deployment = (container) =>
  new Deployment({
    metadata: { name: 'cards' },
    spec: {
      selector: { matchLabels: { app: 'cards' } },
      template: { metadata: { labels: { app: 'cards' } }, spec: { containers: [{ name: 'cards', image: 'cards:1', ...container }] } },
    },
  })
const verdict = (container) => {
  try {
    deployment(container).validate()
    return 'valid'
  } catch {
    return 'refused'
  }
}
const misspelt = { readinesProbe: { httpGet: { path: '/health', port: 3000 } } }
console.log('readinesProbe:', verdict(misspelt))
console.log('ports as text:', verdict({ ports: 'http' }))
assert.equal(verdict(misspelt), 'valid')
assert.ok(JSON.stringify(deployment(misspelt)).includes('readinesProbe'))
assert.equal(verdict({ ports: 'http' }), 'refused')
JS
node "$place/run.mjs"
