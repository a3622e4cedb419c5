"""The first lines of services that do something with values of the request, in each framework."""

from __future__ import annotations

from typing import Final

FAST: Final = """
import os, hashlib, requests, httpx, aiohttp, urllib.request
from pathlib import Path
from urllib.parse import urlparse, urljoin
from fastapi import FastAPI, Request, HTTPException, UploadFile, Header, Depends, Body
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from html import escape
from db import session
app = FastAPI()
BASE = Path("/srv/files")
"""
FLASK: Final = """
import os, hashlib, requests, bleach
from flask import Flask, request, send_file, redirect, make_response, Response, abort, session, Markup
from markupsafe import Markup, escape
from werkzeug.utils import secure_filename, safe_join
from urllib.parse import urlparse
from models import db, User, Note
app = Flask(__name__)
"""
DJANGO: Final = """
import os, hashlib, requests
from django.http import HttpResponse, HttpResponseRedirect, FileResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.utils.html import escape, format_html
from django.urls import path, re_path
from django.db import models
from rest_framework import serializers, viewsets
"""
AIOHTTP: Final = """
from aiohttp import web, ClientSession
from pathlib import Path
BASE = Path("/srv")
"""
