"""The first lines of services whose checks are judged, in each framework, and a route to stand behind a check."""

from __future__ import annotations

from typing import Final

FASTAPI: Final = """
import hmac, os, secrets, jwt
from typing import Annotated
from fastapi import Depends, FastAPI, Header, HTTPException, Request, Security, status, Cookie
from fastapi.security import APIKeyHeader, HTTPBasic, HTTPBasicCredentials, HTTPBearer, OAuth2PasswordBearer
from fastapi.security import SecurityScopes
from fastapi.responses import JSONResponse
from sqlalchemy.orm import Session
import store, settings
from db import get_db
from models import User, Note
app = FastAPI()
bearer = HTTPBearer()
oauth2 = OAuth2PasswordBearer(tokenUrl="token")
api_key = APIKeyHeader(name="X-API-Key")
basic = HTTPBasic()
"""
FLASK: Final = """
import hmac, os, jwt
from functools import wraps
from flask import Flask, abort, g, jsonify, request, session, redirect, url_for, current_app
from flask_login import current_user, login_required
from models import User
import store
app = Flask(__name__)
"""
AIOHTTP: Final = """
import jwt, hmac, os
from aiohttp import web
import store
"""
DJANGO: Final = """
from django.contrib.auth.decorators import login_required, permission_required, user_passes_test
from django.contrib.auth.mixins import LoginRequiredMixin, PermissionRequiredMixin, UserPassesTestMixin
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseForbidden, JsonResponse
from django.utils.decorators import method_decorator
from django.views import View
from django.urls import path
from shop.models import Note"""
FAST_ROUTE: Final = """
@app.get("/notes/{note_id}")
def note(note_id: int, me=Depends(dep)):
    return store.notes(note_id)
"""
FLASK_ROUTE: Final = """
@app.get("/notes/<int:n>")
@guard
def note(n):
    return store.note(n)
"""
