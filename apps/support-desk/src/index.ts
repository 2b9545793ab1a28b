export * from './support-desk.module.js';
