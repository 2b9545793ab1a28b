import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { NestFactory } from '@nestjs/core';
import { SupportDeskApplication } from './support-desk.application.js';

const app = await NestFactory.create(SupportDeskApplication);
app.enableShutdownHooks();
await app.listen(app.get(ConfigService).get<string>('PORT', '3000'), '127.0.0.1');
new Logger('SupportDesk').log(`Ask with POST ${await app.getUrl()}/support {"message": "..."}`);
