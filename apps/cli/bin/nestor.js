#!/usr/bin/env node
// Stands in the repository, unlike dist, so that npm links the command before anything is built.
import '../dist/main.js';
